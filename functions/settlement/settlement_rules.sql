-- The figures of the rules by which orders hold, settle and are paid back, once: executed from here, and
-- shown to buyers from here.
--   tolerance_share, tolerance_usd: a shortfall up to the smaller of this share and these dollars is full
--   covered_share: an order keeps its place past its expiry while this part of it, seen in time, is awaited
--   declare: an order that a payment made waits this long for what its buyer has to declare
--   confirm_within: a payment counts from when it was first seen, if a block holds it this soon
--   forget_after: a payment that no block holds and no node has had for this long has failed
--   unconfirmed_share: unpaid orders of one buyer hold at most one largest order, of an unconfirmed address
--     this part of it
--   unpaid_share: while unpaid orders hold more than this part of what a stage has left, new ones hold
--     nothing
--   change_address: the address of a refund can be changed this long after it was first named
-- Rules: REFUND-8
create or replace function settlement_rules() returns settlement_limits language sql immutable as $$
  select row(0.005, 0.50, 0.9, interval '7 days', interval '24 hours', interval '24 hours',
             0.1, 0.5, interval '24 hours')::settlement_limits
$$;

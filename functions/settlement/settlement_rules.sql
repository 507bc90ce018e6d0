-- The figures of the rules by which orders hold, settle and are paid back, once: executed from here, and
-- shown to buyers from here.
--   tolerance_share, tolerance_usd: a shortfall up to the smaller of this share and these dollars is full
--   covered_share: an order takes its tokens once this part of its amount, seen in time, is in blocks
--   confirm_within: a payment counts from when it was first seen, if a block holds it this soon
--   forget_after: a payment in a block is waited for this long; one that no block holds and no node has had
--     for this long has failed
--   change_address: the address of a refund counts this long after it was named, and changes until then
-- Rules: REFUND-8
create or replace function settlement_rules() returns settlement_limits language sql immutable as $$
  select row(0.005, 0.50, 0.9, interval '3 hours', interval '24 hours',
             interval '24 hours')::settlement_limits
$$;

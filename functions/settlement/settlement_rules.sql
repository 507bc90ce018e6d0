-- The figures of the rules by which orders settle and are paid back, once: executed from here, and shown to
-- buyers from here.
--   tolerance_share, tolerance_usd: a shortfall up to the smaller of this share and these dollars is full
--   least_usd: a payment of less that does not complete its order is neither bought nor owed
--   confirm_within: a payment counts from when it was first seen, if a block holds it this soon
--   forget_after: one that no block holds and no node has had for this long has failed
--   change_address: the address of a refund counts this long after it was named, and changes until then
-- Rules: REFUND-8
create or replace function settlement_rules() returns settlement_limits language sql immutable as $$
  select row(0.005, 0.50, 1.00, interval '3 hours', interval '24 hours',
             interval '24 hours')::settlement_limits
$$;

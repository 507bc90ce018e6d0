-- Constants of settlement and refunds, used here and shown to buyers.
-- A shortfall up to the smaller of tolerance_share and tolerance_usd counts as full.
-- A payment below least_usd that does not complete its order is neither bought nor owed.
-- A payment counts from when it was first seen if a block holds it within confirm_within.
-- After forget_after, a payment that no block holds and no node has had has failed.
-- A refund's address takes effect change_address after it was named, and can be changed until then.
-- Rules: REFUND-8
create or replace function settlement_rules() returns settlement_limits language sql immutable as $$
  select row(0.005, 0.50, 1.00, interval '3 hours', interval '24 hours',
             interval '24 hours')::settlement_limits
$$;

-- The figures of the rules by which orders settle; settlement_rules() has their values and what each means.
create type settlement_limits as (
  tolerance_share numeric, tolerance_usd numeric, covered_share numeric, declare interval,
  confirm_within interval, forget_after interval, unconfirmed_share numeric, unpaid_share numeric,
  change_address interval
);

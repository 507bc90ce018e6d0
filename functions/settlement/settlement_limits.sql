-- The figures of the rules by which orders settle; settlement_rules() has their values and what each means.
create type settlement_limits as (
  tolerance_share numeric, tolerance_usd numeric, least_usd numeric,
  confirm_within interval, forget_after interval, change_address interval
);

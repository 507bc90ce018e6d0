-- Constants of settlement; settlement_rules() explains them and has their values.
create type settlement_limits as (
  tolerance_share numeric, tolerance_usd numeric, least_usd numeric,
  confirm_within interval, forget_after interval, change_address interval
);

-- Whether p_coins of an order's coin are worth less than sending them back costs.
-- Rules: SETTLE-9
create or replace function is_too_little(o orders, p_coins numeric) returns boolean
language sql immutable as $$
  select usd_of_coin(p_coins, (asked_of(o)).rate, o.price_usd) < (settlement_rules()).least_usd
$$;

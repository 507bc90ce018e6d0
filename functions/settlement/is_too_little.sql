-- Whether p_coins of an order's coin are worth less than sending them back costs, at their own rate if they
-- came late (late_rate_of), else at the locked one.
-- Rules: SETTLE-9
create or replace function is_too_little(o orders, p_coins numeric, p_late_rate numeric) returns boolean
language sql immutable as $$
  select usd_of_coin(p_coins, coalesce(nullif(abs(p_late_rate), 0), (asked_of(o)).rate), o.price_usd)
         < (settlement_rules()).least_usd
$$;

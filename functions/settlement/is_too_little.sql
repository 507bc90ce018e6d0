-- Returns whether p_coins are worth less than the cost of sending them back, at their late rate
-- (late_rate_of) if any, else at the locked rate.
-- Rules: SETTLE-9
create or replace function is_too_little(o orders, p_coins numeric, p_late_rate numeric) returns boolean
language sql immutable as $$
  select usd_of_coin(p_coins, coalesce(nullif(abs(p_late_rate), 0), (asked_of(o)).rate), o.price_usd)
         < (settlement_rules()).least_usd
$$;

-- The coin by which a payment may fall short of p_asked and count as full, at the locked rate (tokens for one
-- coin) and price.
-- Rules: SETTLE-7
create or replace function shortfall_allowed(
  p_asked numeric, p_rate numeric, p_price_usd numeric, p_rules settlement_limits
) returns numeric language sql immutable as $$
  select least(p_asked * p_rules.tolerance_share, p_rules.tolerance_usd / (p_rate * p_price_usd))
$$;

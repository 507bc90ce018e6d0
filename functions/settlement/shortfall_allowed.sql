-- The shortfall, in coin, within which payments count as p_asked, at the locked rate (tokens for one coin)
-- and price. An equal surplus counts as p_asked too.
-- Rules: SETTLE-7
create or replace function shortfall_allowed(p_asked numeric, p_rate numeric, p_price_usd numeric)
returns numeric language sql immutable as $$
  select least(p_asked * tolerance_share, tolerance_usd / (p_rate * p_price_usd)) from settlement_rules()
$$;

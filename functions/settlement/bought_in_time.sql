-- Returns the tokens bought by p_coins paid in time: the ordered amount if p_coins is within the tolerance of
-- the price, otherwise in proportion. Null for unknown coins.
-- Rules: SETTLE-7, SETTLE-10
create or replace function bought_in_time(o orders, p_coins numeric) returns numeric
language plpgsql immutable strict as $$
declare
  a order_amounts := asked_of(o); v_tokens numeric := round(p_coins * a.rate, 6);
  v_lack numeric := shortfall_allowed(a.crypto_amount, a.rate, o.price_usd);
begin
  if p_coins < a.crypto_amount - v_lack then return least(a.base_tokens, v_tokens); end if;
  if p_coins > a.crypto_amount + v_lack then return greatest(a.base_tokens, v_tokens); end if;
  return a.base_tokens;
end $$;

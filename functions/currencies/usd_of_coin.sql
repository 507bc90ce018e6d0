-- USD of a coin amount in an order: coin × tokens for one coin × price.
create or replace function usd_of_coin(p_amount numeric, p_rate numeric, p_price_usd numeric)
returns numeric language sql immutable as $$
  select round(p_amount * p_rate * p_price_usd, 2)
$$;

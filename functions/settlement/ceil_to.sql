-- Rounds coins up to the currency's decimals, at most 8.
create or replace function ceil_to(p_coins numeric, p_decimals integer) returns numeric
language sql immutable as $$
  select trim_scale(ceil(p_coins * power(10::numeric, d)) / power(10::numeric, d))
    from (select least(8, coalesce(p_decimals, 8)) as d) decimals
$$;

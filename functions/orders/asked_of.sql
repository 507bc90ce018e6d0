-- The amounts that the buyer ordered. The order may have been settled at other amounts.
create or replace function asked_of(o orders) returns order_amounts language sql immutable as $$
  select coalesce(o.asked, row(o.base_tokens, o.bonus_tokens, o.bonus_percent, o.usd, o.crypto_amount,
                               o.rate)::order_amounts)
$$;

-- Owes back p_came of an order's coin, received at its fixed address on operators' word, truncated to the
-- coin's decimals. Locks: order row (caller's).
-- Rules: REFUND-9
create or replace function owe_by_word(p_order_id bigint, p_came numeric, p_reason text)
returns void language plpgsql as $$
declare r refunds%rowtype;
begin
  insert into refunds (payment_id, order_id, user_id, currency_id, chain, from_height, currency, amount, usd,
                       reason)
  select null, o.id, o.user_id, k.id, k.network, (select height from chains where name = k.network), k.code,
         came, case when p_came = o.crypto_amount then o.usd else usd_of_coin(came, o.rate, o.price_usd) end,
         p_reason
    from orders o join currencies k on k.id = o.currency_id
   cross join lateral (select case when scale(p_came) > k.coin_decimals then trunc(p_came, k.coin_decimals)
                                   else p_came end as came) c
   where o.id = p_order_id and came > 0
  returning * into r;
  if found then perform post_refund(r, 'refund_owed'); end if;
end $$;

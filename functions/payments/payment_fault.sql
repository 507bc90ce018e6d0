-- Returns why a payment of p_currency_id to an order (null if none) buys nothing by itself, null if it may
-- buy. 'dust' is worth less than sending it back, at the last rate known at p_at, so no operator decides
-- about it. An unlisted token has no rate, so it is never dust.
-- Rules: SETTLE-9, SETTLE-32
create or replace function payment_fault(
  p_order_id bigint, p_currency_id integer, p_amount numeric, p_at timestamptz
) returns text language sql stable as $$
  select case
    when o.currency_id = p_currency_id then null
    when usd_of_coin(p_amount, coalesce(r.rate, k.rate), r.price_usd) < (settlement_rules()).least_usd
    then 'dust'
    when o.id is null then 'unmatched'
    else 'wrong_asset' end
    from (values (1)) one
    left join orders o on o.id = p_order_id
    left join currencies k on k.id = p_currency_id
    left join lateral rate_at(k.id, p_at) r on true
$$;

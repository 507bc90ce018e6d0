-- The dollars that a buyer's unpaid orders may hold at p_price_usd besides what they hold: in all those of
-- one largest order, of a buyer whose address is not confirmed a part of that, but never less than one
-- smallest order. A set of one row, or none for nobody: so it becomes part of the statement that asks, which
-- a function that returns a value does not.
create or replace function holdable_usd(p_user_id bigint, p_price_usd numeric)
returns setof numeric language sql stable rows 1 as $$
  select round(case when u.confirmed_at is not null then c.order_maximum_tokens
                    else greatest(c.order_maximum_tokens * (settlement_rules()).unconfirmed_share,
                                  c.order_minimum_tokens) end * p_price_usd, 2)
         - coalesce((select sum(o.usd) from orders o
                      where o.user_id = p_user_id and o.held
                        and o.detail in ('awaiting_payment', 'underpaid')), 0)
    from users u, campaign c where u.id = p_user_id
$$;

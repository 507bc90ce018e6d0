-- The dollars that a buyer's unpaid orders may hold at p_price_usd besides what they hold (most_held_usd). A
-- set of one row, or none for nobody: so it becomes part of the statement that asks, which a function that
-- returns a value does not. draft_orders asks the same of several buyers.
-- Rules: HOLD-2
create or replace function holdable_usd(p_user_id bigint, p_price_usd numeric)
returns setof numeric language sql stable rows 1 as $$
  select most_held_usd(u.confirmed_at, c.order_maximum_tokens, c.order_minimum_tokens, p_price_usd)
         - coalesce((select sum(o.usd) from orders o
                      where o.user_id = p_user_id and o.held
                        and o.detail in ('awaiting_payment', 'underpaid')), 0)
    from users u, campaign c where u.id = p_user_id
$$;

-- Posts approvals of orders (order_approved) or reversals of their last ones (order_reversed): base and bonus
-- tokens, and USD by orders.approved_via, which must be set. Updates the sale totals by day of posting (UTC)
-- and the received totals by currency and day of the order. The caller has locked the pools and updates
-- holdings.
-- Rules: WORD-1, LEDGER-1
create or replace function post_orders(p_kind text, p_approvals approval[])
returns void language plpgsql as $$
declare v_sign constant integer := case p_kind when 'order_approved' then 1 else -1 end;
begin
  with posted as (
    insert into postings (kind, order_id, approval, user_id, reverses_id, operator_id, reason,
                          price_usd, rate)
    select p_kind, o.id, o.approvals, o.user_id,
           case when p_kind = 'order_reversed' then
             (select id from postings where order_id = o.id and kind = 'order_approved'
                                        and approval = o.approvals) end,
           a.operator_id, a.reason, o.price_usd, o.rate
      from unnest(p_approvals) a join orders o on o.id = a.order_id
    returning id, order_id, posted_at
  ), moved as (
    select p.id, p.posted_at, o.user_id, o.stage_id, o.approved_via, v_sign * o.base_tokens as base,
           v_sign * o.bonus_tokens as bonus, v_sign * o.usd as usd, o.currency,
           (o.created_at at time zone 'UTC')::date as made, v_sign * o.crypto_amount as amount
      from posted p join orders o on o.id = p.order_id
  ), entered as (
    insert into entries (posting_id, account, user_id, stage_id, asset, amount)
    select m.id, e.account, e.user_id, m.stage_id, e.asset, e.amount
      from moved m cross join lateral (values
        ('sale_supply', null, 'TOKEN', -m.base),
        ('buyer_purchased', m.user_id, 'TOKEN', m.base),
        ('bonus_supply', null, 'TOKEN', -m.bonus),
        ('buyer_bonus', m.user_id, 'TOKEN', m.bonus),
        ('buyer_deposits', m.user_id, 'USD', -m.usd),
        (case when m.approved_via = 'chain' then 'raised_on_chain' else 'raised_by_operator' end,
         null, 'USD', m.usd)) as e(account, user_id, asset, amount)
  ), received as (
    insert into received_totals as r (currency, day, amount, usd, orders)
    select m.currency, m.made, sum(m.amount), sum(m.usd), v_sign * count(*) from moved m group by 1, 2
    on conflict (currency, day) do update set
      amount = r.amount + excluded.amount, usd = r.usd + excluded.usd, orders = r.orders + excluded.orders
  )
  insert into sale_totals as t (stage_id, day, raised_on_chain_usd, raised_by_operator_usd,
                                purchased_tokens, bonus_tokens, orders_on_chain, orders_by_operator)
  select m.stage_id, (m.posted_at at time zone 'UTC')::date as day,
         coalesce(sum(m.usd) filter (where m.approved_via = 'chain'), 0),
         coalesce(sum(m.usd) filter (where m.approved_via = 'operator'), 0), sum(m.base), sum(m.bonus),
         v_sign * count(*) filter (where m.approved_via = 'chain'),
         v_sign * count(*) filter (where m.approved_via = 'operator')
    from moved m group by 1, 2
  on conflict (stage_id, day) do update set
    raised_on_chain_usd = t.raised_on_chain_usd + excluded.raised_on_chain_usd,
    raised_by_operator_usd = t.raised_by_operator_usd + excluded.raised_by_operator_usd,
    purchased_tokens = t.purchased_tokens + excluded.purchased_tokens,
    bonus_tokens = t.bonus_tokens + excluded.bonus_tokens,
    orders_on_chain = t.orders_on_chain + excluded.orders_on_chain,
    orders_by_operator = t.orders_by_operator + excluded.orders_by_operator;
end $$;

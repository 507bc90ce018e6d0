-- Adds p_sign (1 or -1) times an order to the totals of its way (orders.approved_via), in this connection's
-- slot and on the day (UTC) at which that was posted.
create or replace function add_to_totals(p_order orders, p_sign integer, p_at timestamptz)
returns void language plpgsql as $$
declare
  v_on_chain integer := case when p_order.approved_via = 'chain' then p_sign else 0 end;
  v_by_operator integer := case when p_order.approved_via = 'operator' then p_sign else 0 end;
begin
  insert into sale_totals as t (stage_id, day, slot, raised_on_chain_usd, raised_by_operator_usd,
                                purchased_tokens, bonus_tokens, orders_on_chain, orders_by_operator)
  values (p_order.stage_id, (p_at at time zone 'UTC')::date, slot_of_connection(),
          v_on_chain * p_order.usd, v_by_operator * p_order.usd,
          p_sign * p_order.base_tokens, p_sign * p_order.bonus_tokens, v_on_chain, v_by_operator)
  on conflict (stage_id, day, slot) do update set
    raised_on_chain_usd = t.raised_on_chain_usd + excluded.raised_on_chain_usd,
    raised_by_operator_usd = t.raised_by_operator_usd + excluded.raised_by_operator_usd,
    purchased_tokens = t.purchased_tokens + excluded.purchased_tokens,
    bonus_tokens = t.bonus_tokens + excluded.bonus_tokens,
    orders_on_chain = t.orders_on_chain + excluded.orders_on_chain,
    orders_by_operator = t.orders_by_operator + excluded.orders_by_operator;
end $$;

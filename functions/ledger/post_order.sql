-- Posts an order's approval (p_kind order_approved) or the reversal of its last one (order_reversed): base
-- and bonus tokens, and the dollars by the way of orders.approved_via, which the caller has set and not yet
-- cleared.
create or replace function post_order(p_order orders, p_kind text, p_operator_id bigint, p_reason text)
returns void language plpgsql as $$
declare
  v_sign integer := case p_kind when 'order_approved' then 1 else -1 end;
  v_base numeric := v_sign * p_order.base_tokens;
  v_bonus numeric := v_sign * p_order.bonus_tokens;
  v_usd numeric := v_sign * p_order.usd;
  v_reverses bigint; v_id bigint; v_at timestamptz;
begin
  if p_kind = 'order_reversed' then
    select id into v_reverses from postings
     where order_id = p_order.id and kind = 'order_approved' and approval = p_order.approvals;
  end if;
  insert into postings (kind, order_id, approval, user_id, reverses_id, operator_id, reason)
  values (p_kind, p_order.id, p_order.approvals, p_order.user_id, v_reverses, p_operator_id, p_reason)
  returning id, posted_at into v_id, v_at;
  insert into entries (posting_id, account, user_id, stage_id, asset, amount) values
    (v_id, 'sale_supply', null, p_order.stage_id, 'TOKEN', -v_base),
    (v_id, 'buyer_purchased', p_order.user_id, p_order.stage_id, 'TOKEN', v_base),
    (v_id, 'bonus_supply', null, p_order.stage_id, 'TOKEN', -v_bonus),
    (v_id, 'buyer_bonus', p_order.user_id, p_order.stage_id, 'TOKEN', v_bonus),
    (v_id, 'buyer_deposits', p_order.user_id, p_order.stage_id, 'USD', -v_usd),
    (v_id, case when p_order.approved_via = 'chain' then 'raised_on_chain' else 'raised_by_operator' end,
     null, p_order.stage_id, 'USD', v_usd);
  insert into holdings as h (user_id, purchased_tokens, bonus_tokens, deposits_usd)
  values (p_order.user_id, greatest(0, v_base), greatest(0, v_bonus), greatest(0, v_usd))
  on conflict (user_id) do update set
    purchased_tokens = h.purchased_tokens + v_base,
    bonus_tokens = h.bonus_tokens + v_bonus,
    deposits_usd = h.deposits_usd + v_usd;
  perform add_to_totals(p_order, v_sign, v_at);
end $$;

-- Approves and credits orders, each exactly once, in one transaction with postings, entries, holdings,
-- totals, audit log and outbox. Row n answers request n; changed is false if the order was approved already.
-- p_via: chain (the order has its room already) or operator (the room is taken here). Locks: campaign
-- (soft_cap_verdict_held) → orders by id, each with its buyer's account → pools. Refusals: order_unknown,
-- order_changed, order_on_chain, soft_cap_missed, order_state, user_unknown, approval_over,
-- transaction_id_taken, cap_reached, supply_reached.
-- Rules: HOLD-1, LEDGER-4, LEDGER-6, REFUND-10, SETTLE-12, SETTLE-13
create or replace function approve_orders(p_approvals approval[], p_via text)
returns table (refusal text, changed boolean)
-- One generic plan serves every array length. Sequential scans are off, because a plan made while the tables
-- were empty would keep scanning them.
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_refusals text[] := array_fill('order_unknown'::text, array[cardinality(p_approvals)]);
  v_changed boolean[] := array_fill(false, array[cardinality(p_approvals)]);
  v_approved approval[] := '{}'; v_ids bigint[] := '{}'; v_user_ids bigint[] := '{}'; v_named text[] := '{}';
  v_soft_cap text := soft_cap_verdict_held(); v record; v_refusal text;
begin
  -- Locked before the pools, because settling an order locks it first.
  perform from orders o join users u on u.id = o.user_id
    where o.id in (select order_id from unnest(p_approvals)) order by o.id for update of o for key share of u;
  perform lock_pools();
  for v in
    select a.ordinality as position, a.seen, a.operator_id, a.reason, a.request_id, o.id, o.user_id,
           o.status, o.stage_id, o.usd, o.base_tokens, o.bonus_tokens, o.transaction_id, o.watched, o.sent_at,
           o.expires_at, u.deleted_at
      from unnest(p_approvals) with ordinality as a
      join orders o on o.id = a.order_id join users u on u.id = o.user_id
     order by a.ordinality
  loop
    v_refusals[v.position] := null;
    -- A request may name the same order twice.
    continue when v.status = 'approved' or v.id = any(v_ids);
    v_refusal := case
      when v.status <> v.seen then 'order_changed'
      when v.watched and p_via <> 'chain' then 'order_on_chain'
      when v_soft_cap = 'missed' then 'soft_cap_missed'
      -- A rejection is final.
      when not v.watched and v.status <> 'pending' then 'order_state'
      when not v.watched and v.deleted_at is not null then 'user_unknown'
      when not v.watched and approval_is_over(v.expires_at, clock_timestamp()) then 'approval_over'
      when v.transaction_id = any(v_named) or transaction_is_taken(v.id, v.transaction_id)
      then 'transaction_id_taken'
      when p_via = 'operator' then take_capacity(v.stage_id, v.usd, v.base_tokens, v.bonus_tokens) end;
    v_refusals[v.position] := v_refusal;
    continue when v_refusal is not null;
    -- Approval confirms that the payment came.
    if v.sent_at is null then
      perform note_order_sent(v.id);
    end if;
    v_changed[v.position] := true;
    v_approved := v_approved || row(v.id, v.status, v.operator_id, v.reason, v.request_id)::approval;
    v_ids := v_ids || v.id;
    v_user_ids := v_user_ids || v.user_id;
    v_named := v_named || v.transaction_id;
  end loop;
  if v_ids <> '{}' then
    perform credit_orders(v_approved, v_ids, v_user_ids, p_via);
  end if;
  return query select * from unnest(v_refusals, v_changed);
end $$;

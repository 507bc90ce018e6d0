-- Approves orders and credits them, each exactly once, all in one write: status, postings, entries,
-- holdings, totals, audit and outbox are one transaction. Row n answers request n; changed = false where
-- the order stood approved already. p_via is chain (what it buys has its room already) or operator (it
-- takes it here). Locks: campaign (soft_cap_verdict_held) → orders as they are asked for, each with its
-- buyer's account → pools → holdings, by buyer → totals.
-- Refusals: order_unknown, order_changed (somebody or a payment decided about it since it was seen),
-- order_on_chain (its chain alone approves it), soft_cap_missed, order_state, user_unknown (the account is
-- deleted), approval_over (operators are too late), transaction_id_taken, cap_reached, supply_reached.
-- Rules: HOLD-7, LEDGER-4, LEDGER-6, LEDGER-7, REFUND-10, SETTLE-12, SETTLE-13
create or replace function approve_orders(p_approvals approval[], p_via text)
returns table (refusal text, changed boolean)
-- One plan serves every length of the array, and finds each row by a key: one that was made while the tables
-- were empty would read them whole.
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_refusals text[] := array_fill('order_unknown'::text, array[cardinality(p_approvals)]);
  v_changed boolean[] := array_fill(false, array[cardinality(p_approvals)]);
  v_approved approval[] := '{}'; v_ids bigint[] := '{}'; v_user_ids bigint[] := '{}'; v_named text[] := '{}';
  v_soft_cap text := soft_cap_verdict_held(); v record; v_refusal text;
begin
  for v in
    select a.position, a.seen, a.operator_id, a.reason, a.request_id, o.id, o.user_id, o.status,
           o.stage_id, o.usd, o.base_tokens, o.bonus_tokens, o.transaction_id, o.watched, o.sent_at,
           o.expires_at
      from unnest(p_approvals) with ordinality
           as a(order_id, seen, operator_id, reason, request_id, position)
      join orders o on o.id = a.order_id
     order by a.position for update of o
  loop
    v_refusals[v.position] := null;
    -- The second one may come together with the first.
    continue when v.status = 'approved' or v.id = any(v_ids);
    v_refusal := case
      when v.status <> v.seen then 'order_changed'
      when v.watched and p_via <> 'chain' then 'order_on_chain'
      when v_soft_cap = 'missed' then 'soft_cap_missed'
      -- Rejected is final.
      when not v.watched and v.status <> 'pending' then 'order_state'
      when not v.watched and not exists (select from users where id = v.user_id and deleted_at is null
                                            for key share) then 'user_unknown'
      when not v.watched and approval_is_over(v.expires_at, clock_timestamp()) then 'approval_over'
      when v.transaction_id = any(v_named) or transaction_is_taken(v.id, v.transaction_id)
      then 'transaction_id_taken'
      when p_via = 'operator' then take_capacity(v.stage_id, v.usd, v.base_tokens, v.bonus_tokens) end;
    v_refusals[v.position] := v_refusal;
    continue when v_refusal is not null;
    -- Whoever approves it says that its payment came.
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

-- Undoes an order: reject_order without the settlement of what was paid for it. A pending one lets go what it
-- holds; an approved one is debited exactly what was credited, in its own stage, by entries of its own. One
-- whose money goes back keeps saying so: it can't be approved again. Refusals: order_unknown, order_state,
-- tokens_claimed (the balance would fall below what is claimed).
-- Rules: LEDGER-5
create or replace function undo_order(
  p_order_id bigint, p_operator_id bigint, p_reason text, p_request_id text, p_came numeric default null,
  out refusal text, out changed boolean
) language plpgsql as $$
declare
  o orders%rowtype; v_was_approved boolean; v_detail text;
  v_reason jsonb := jsonb_strip_nulls(jsonb_build_object('reason', p_reason, 'came', p_came::text));
begin
  changed := false;
  select * into o from orders where id = p_order_id for update;
  if not found then refusal := 'order_unknown'; return; end if;
  if not order_allows('reject', o.status, o.detail, o.hidden, o.watched) then return; end if;
  v_was_approved := o.status = 'approved';
  if v_was_approved then
    refusal := debit_order(o, p_operator_id, p_reason);
    if refusal is not null then return; end if;
  elsif o.held then
    perform lock_pools();
    perform release_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
  end if;
  v_detail := case when v_was_approved then 'reversed'
                   when o.detail in ('refund_due', 'refunded') then o.detail
                   else 'rejected_by_operator' end;
  update orders
     set status = 'rejected', detail = v_detail, held = false, approved_via = null, approved_at = null,
         hidden = stays_hidden(hidden, 'rejected', v_detail), updated_at = clock_timestamp()
   where id = p_order_id;
  perform note_order_event(p_order_id, case when v_was_approved then 'reversed' else 'rejected' end,
                           case when p_operator_id is null then 'system' else 'operator' end,
                           p_operator_id, v_reason);
  if p_operator_id is not null then
    perform write_audit(p_operator_id, 'order.reject', 'order', p_order_id::text, jsonb_build_object(
      'before', jsonb_build_object('status', o.status),
      'after', jsonb_build_object('status', 'rejected') || v_reason), p_request_id);
  end if;
  perform tell('order_rejected', p_order_id, o.user_id);
  changed := true;
end $$;

-- Rejects an order for good. Its buyer is owed back what was paid for it. A pending order releases what it
-- holds. For an approved one new entries debit exactly what was credited, in the order's stage. At a fixed
-- address operators say how much came: p_came, in the order's coin. Where it is null, an approved order
-- counts as paid in full, any other as not paid. They can also say it of an order that is rejected already,
-- as long as nothing is owed for it.
-- Refusals: order_unknown, order_state (a different amount is owed for it already), tokens_claimed (the
-- balance would fall below what is claimed).
-- Rules: LEDGER-5, REFUND-9
create or replace function reject_order(
  p_order_id bigint, p_operator_id bigint, p_reason text, p_request_id text, p_came numeric default null,
  out refusal text, out changed boolean
) language plpgsql as $$
declare
  o orders%rowtype; v_was_approved boolean; v_detail text; v_came numeric;
  v_reason jsonb := jsonb_strip_nulls(jsonb_build_object('reason', p_reason, 'came', p_came::text));
  v_because text := case when p_operator_id is null and p_reason = 'soft_cap_missed' then p_reason
                         else 'order_rejected' end;
begin
  changed := false;
  select * into o from orders where id = p_order_id for update;
  if not found then refusal := 'order_unknown'; return; end if;
  if o.status = 'rejected' and coalesce(p_came, 0) = 0 then return; end if;
  if not order_allows('reject', o.status, o.detail, o.hidden, o.watched) then
    if p_came <> (select amount from refunds where order_id = o.id and payment_id is null) then
      refusal := 'order_state';
    end if;
    return;
  end if;
  v_was_approved := o.status = 'approved';
  if v_was_approved then
    refusal := debit_order(o, p_operator_id, p_reason);
    if refusal is not null then return; end if;
  elsif o.held then
    perform lock_pools();
    perform release_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
  end if;
  -- Whoever hears that it was rejected has heard of it.
  if p_operator_id is not null and o.status = 'pending' then
    perform note_order_sent(o.id);
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
  if not o.watched then
    v_came := coalesce(p_came, case when v_was_approved then o.crypto_amount else 0 end);
    if owe_by_word(p_order_id, v_came, v_because) then
      perform set_order_detail(p_order_id, 'refund_due', 'refund_due', '{"by": "system"}');
    end if;
  elsif exists (select 1 from payments where order_id = p_order_id) then
    update payments set credited = 0 where order_id = p_order_id and credited > 0;
    select * into o from orders where id = p_order_id;
    if owe_what_is_left(o, v_because) then
      perform set_order_detail(p_order_id, 'refund_due', 'refund_due', '{"by": "system"}');
    end if;
    perform settle_order(p_order_id);
  end if;
end $$;

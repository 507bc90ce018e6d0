-- Rejects an order for good, debits its credit, owes its payments back and frees its room. p_operator_id is
-- null for the buyer (p_reason taken_back) and the sale (soft_cap_missed). p_seen is the status that the
-- operator saw (null: any). At a fixed address operators report the coins received as p_came; if null, an
-- approved order counts as paid in full, any other as unpaid. They can report once more after the rejection
-- (is_reported): the order then owes p_came minus its debt so far. Refusals: order_unknown, order_changed,
-- order_on_chain (its chain shows the amount), order_in_escrow, order_signed (its signature may still be
-- paid), order_state (a different amount is owed already), transaction_id_taken, tokens_allocated.
-- Rules: BACK-2, DELIVER-25, DELIVER-28, LEDGER-4, LEDGER-6, REFUND-9
create or replace function reject_order(
  p_order_id bigint, p_operator_id bigint, p_reason text, p_request_id text, p_came numeric default null,
  p_seen text default null, out refusal text, out changed boolean
) language plpgsql as $$
declare
  o orders%rowtype; p payments%rowtype; v_before text; v_was_approved boolean; v_said numeric;
  v_reason jsonb := jsonb_strip_nulls(jsonb_build_object('reason', p_reason, 'came', p_came::text));
begin
  changed := false;
  select * into o from orders where id = p_order_id for update;
  refusal := case
    when not found then 'order_unknown'
    when p_operator_id is null then null
    when o.status not in (p_seen, 'rejected') then 'order_changed'
    when p_came is not null and o.watched then 'order_on_chain'
    when is_in_escrow(o.id) then 'order_in_escrow'
    when may_be_paid_in_escrow(o.id) then 'order_signed' end;
  if refusal is not null then return; end if;
  if o.status = 'rejected' and coalesce(p_came, 0) = 0 then return; end if;
  v_said := coalesce((select sum(amount) from refunds where order_id = o.id and payment_id is null), 0);
  if not order_allows('reject', o.status, detail(o), o.hidden, o.watched)
     or is_reported(o) or o.status = 'rejected' and p_came <= v_said then
    if p_came <> v_said then refusal := 'order_state'; end if;
    return;
  end if;
  if p_came > 0 then
    perform soft_cap_verdict_held();
    perform lock_pools();
    if transaction_is_taken(o.id, o.transaction_id) then refusal := 'transaction_id_taken'; return; end if;
  end if;
  v_before := o.status; v_was_approved := v_before = 'approved';
  if v_was_approved then
    refusal := debit_order(o, p_operator_id, p_reason);
    if refusal is not null then return; end if;
    perform take_back_referral(o, p_operator_id, 0);
  end if;
  -- An order must be announced before its rejection is.
  if p_operator_id is not null and o.status = 'pending' then
    perform note_order_sent(o.id);
  end if;
  update orders
     set status = 'rejected', approved_via = null, approved_at = null, updated_at = clock_timestamp()
   where id = p_order_id returning * into o;
  perform take_room(o, 0, 0, 0);
  perform note_order_event(p_order_id, case when v_was_approved then 'reversed' else 'rejected' end,
                           case when p_operator_id is not null then 'operator'
                                when p_reason = 'taken_back' then 'buyer' else 'system' end,
                           p_operator_id, v_reason);
  if p_operator_id is not null then
    perform write_audit(p_operator_id, 'order.reject', 'order', p_order_id::text, jsonb_build_object(
      'before', jsonb_build_object('status', v_before),
      'after', jsonb_build_object('status', 'rejected') || v_reason), p_request_id);
  end if;
  perform tell('order_rejected', p_order_id, o.user_id);
  changed := true;
  if o.watched then
    for p in select * from payments where order_id = o.id and credited > 0 order by id for update loop
      update payments set credited = 0 where id = p.id;
      if p.alive and p.confirmed then
        perform owe_refund(p.id, o.user_id, p.credited, why_closed(o));
      end if;
    end loop;
  else
    p_came := coalesce(p_came - v_said, case when v_was_approved then o.crypto_amount else 0 end);
    perform owe_by_word(o.id, p_came,
                        case when v_before = 'rejected' then 'order_rejected' else why_closed(o) end);
  end if;
  perform settle_order(p_order_id);
end $$;

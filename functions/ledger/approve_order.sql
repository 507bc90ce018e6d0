-- Approves an order and credits it, exactly once: status, postings, entries, holdings, totals, audit and
-- outbox are one transaction. changed = false where it stood approved already. An order that holds nothing
-- any more (expired, rejected) holds again first; what is owed by the word of an earlier approval, and is
-- not being paid, is taken back. p_via is chain or operator. Refusals: order_unknown, order_state,
-- order_not_declared (a payment made it, and its buyer has not confirmed it),
-- soft_cap_missed, transaction_id_taken, cap_reached, supply_reached.
create or replace function approve_order(
  p_order_id bigint, p_via text, p_operator_id bigint, p_reason text, p_request_id text,
  out refusal text, out changed boolean
) language plpgsql as $$
declare
  o orders%rowtype; v_before text; v_refund text;
  v_reason jsonb := jsonb_strip_nulls(jsonb_build_object('reason', p_reason));
begin
  changed := false;
  select * into o from orders where id = p_order_id for update;
  if not found then refusal := 'order_unknown'; return; end if;
  if o.status = 'approved' then return; end if;
  -- What is owed back stays owed: a settlement approves what was paid beside it.
  if p_via <> 'chain' and not order_allows('approve', o.status, o.detail, o.hidden, o.watched) then
    refusal := 'order_state';
    return;
  end if;
  if o.declare_by is not null and o.declared_at is null then
    refusal := 'order_not_declared';
    return;
  end if;
  if exists (select from campaign where soft_cap_missed_at is not null) then
    refusal := 'soft_cap_missed';
    return;
  end if;
  if o.status = 'rejected' then
    select state into v_refund from refunds
     where order_id = o.id and payment_id is null and state <> 'written_off' for update;
    if v_refund not in ('owed', 'claimed') then
      refusal := 'order_state';
      return;
    end if;
  end if;
  if transaction_is_taken(o.id, o.transaction_id) then refusal := 'transaction_id_taken'; return; end if;
  if not o.held then
    refusal := take_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
    if refusal is not null then return; end if;
  end if;
  if v_refund is not null then
    -- What was owed by the word of the earlier approval stands behind this one.
    perform write_off_word(o.id);
  end if;
  v_before := o.status;
  update orders
     set status = 'approved',
         detail = case when p_via = 'chain' then 'credited' else 'approved_by_operator' end,
         held = false, hidden = false, approvals = approvals + 1, approved_via = p_via,
         approved_at = clock_timestamp(), updated_at = clock_timestamp()
   where id = p_order_id returning * into o;
  perform post_order(o, 'order_approved', p_operator_id, p_reason);
  if p_operator_id is null then
    perform note_order_event(p_order_id, 'approved', 'chain', null, v_reason);
  else
    perform note_order_event(p_order_id, 'approved', 'operator', p_operator_id, v_reason);
    perform write_audit(p_operator_id, 'order.approve', 'order', p_order_id::text, jsonb_build_object(
      'before', jsonb_build_object('status', v_before),
      'after', jsonb_build_object('status', 'approved') || v_reason), p_request_id);
  end if;
  perform tell('order_approved', p_order_id, o.user_id);
  if exists (select 1 from campaign where first_approved_at is null) then
    update campaign set first_approved_at = clock_timestamp() where first_approved_at is null;
  end if;
  changed := true;
  -- What chains had confirmed before stands behind an operator's approval, or is owed.
  if p_via = 'operator' and exists (select from payments where order_id = p_order_id) then
    perform settle_order(p_order_id);
  end if;
end $$;

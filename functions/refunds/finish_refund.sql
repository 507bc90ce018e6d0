-- Marks a refund as paid, by a confirmed transaction (p_via chain) or by operators' word: posts it, records
-- the event and notifies the buyer. The caller has locked the refund.
-- Rules: REFUND-7
create or replace function finish_refund(p_refund refunds, p_via text) returns void language plpgsql as $$
declare r refunds := p_refund;
begin
  update refunds set state = 'paid', paid_at = clock_timestamp(), paid_via = p_via where id = r.id;
  perform post_refund(r, 'refund_paid');
  perform tell('refund_paid', r.order_id, r.user_id, jsonb_build_object('refund', r.id::text));
  if r.order_id is not null then
    perform note_order_event(r.order_id, 'refund_paid', p_via, null, jsonb_build_object(
      'amount', r.amount::text, 'currency', r.currency, 'transactionId', r.transaction_id));
  end if;
end $$;

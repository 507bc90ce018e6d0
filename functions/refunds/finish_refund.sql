-- A refund is paid: by a confirmed transaction (p_via chain), or by the word of operators. Books it, tells
-- its buyer, and says of the order that nothing is owed any more once that is so. The caller has locked
-- it.
create or replace function finish_refund(p_refund refunds, p_via text) returns void language plpgsql as $$
declare r refunds := p_refund; v_status text;
begin
  update refunds set state = 'paid', paid_at = clock_timestamp(), paid_via = p_via where id = r.id;
  perform post_refund(r, 'refund_paid');
  perform tell('refund_paid', r.order_id, r.user_id, jsonb_build_object('refund', r.id::text));
  select status into v_status from orders
   where id = r.order_id and detail in ('refund_due', 'overpaid', 'reversed');
  if found and not exists (select 1 from refunds
                            where order_id = r.order_id and state not in ('paid', 'written_off')) then
    perform set_order_detail(
      r.order_id, case when v_status = 'approved' then 'credited' else 'refunded' end,
      'refunded', jsonb_build_object('transactionId', r.transaction_id));
  end if;
end $$;

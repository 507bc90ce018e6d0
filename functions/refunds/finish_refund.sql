-- A refund is paid: by a confirmed transaction (p_via chain), or by the word of operators. Books it, tells
-- its buyer, and says of the order that nothing is owed any more once that is so. The caller has locked
-- it.
-- Rules: REFUND-7
create or replace function finish_refund(p_refund refunds, p_via text) returns void language plpgsql as $$
declare r refunds := p_refund;
begin
  update refunds set state = 'paid', paid_at = clock_timestamp(), paid_via = p_via where id = r.id;
  perform post_refund(r, 'refund_paid');
  perform tell('refund_paid', r.order_id, r.user_id, jsonb_build_object('refund', r.id::text));
  perform refresh_order(o, 'refunded', jsonb_build_object('transactionId', r.transaction_id, 'by', p_via))
     from orders o where o.id = r.order_id and o.detail in ('refund_due', 'overpaid');
end $$;

-- The block that sent a refund does not hold its transfer any more: the refund is on its way again, and owed
-- where it was paid. One that was found by the transaction which an operator named is looked for by that
-- again (readNamed). The caller has locked it.
create or replace function undo_refund(p_refund refunds) returns void language plpgsql as $$
declare r refunds := p_refund;
begin
  update refunds
     set state = 'sent', block_height = null, confirmations = 0, paid_at = null, paid_via = null,
         output_key = nullif(output_key, 'named')
   where id = r.id;
  if r.state = 'paid' then
    perform post_refund(r, 'refund_unpaid');
    perform tell('refund_sent', r.order_id, r.user_id, jsonb_build_object('refund', r.id::text));
    perform show_again(r.order_id);
  end if;
  perform tell('order_changed', r.order_id, r.user_id);
end $$;

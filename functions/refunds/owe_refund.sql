-- Owes p_amount of a confirmed payment back to p_user_id. Locks the payment, because it can never owe more
-- than it brought. Returns the refund's id.
create or replace function owe_refund(p_payment_id bigint, p_user_id bigint, p_amount numeric, p_reason text)
returns bigint language plpgsql as $$
declare p payments%rowtype; r refunds%rowtype;
begin
  select * into p from payments where id = p_payment_id for update;
  update payments set owed = owed + p_amount where id = p_payment_id;
  insert into refunds (payment_id, order_id, user_id, currency_id, chain, currency, amount, usd, reason)
  select p.id, p.order_id, p_user_id, k.id, p.chain, k.code, p_amount,
         usd_of_coin(p_amount, coalesce(case when o.currency_id = k.id then o.rate end, k.rate),
                     coalesce(o.price_usd, c.price_usd, 0)), p_reason
    from currencies k cross join campaign c left join orders o on o.id = p.order_id
   where k.id = p.currency_id
  returning * into r;
  perform post_refund(r, 'refund_owed');
  if r.order_id is not null then
    perform note_order_event(r.order_id, 'refund_owed', 'system', null,
      jsonb_build_object('amount', p_amount::text, 'currency', r.currency, 'reason', p_reason));
  end if;
  perform tell('refund_owed', r.order_id, p_user_id, jsonb_build_object('refund', r.id::text));
  return r.id;
end $$;

-- Owes p_amount of a confirmed payment back to p_user_id. Locks the payment, which can never owe more than
-- its amount. Restores a written-off refund of the same order and amount with its address if there is one. A
-- prepared or sent refund stays so, because somebody may have signed or sent it meanwhile; that transfer then
-- pays it. The refund's transfer needs the confirmations of a payment of that amount. Returns the refund's
-- id.
-- Rules: REFUND-1, REFUND-12, SETTLE-28
create or replace function owe_refund(p_payment_id bigint, p_user_id bigint, p_amount numeric, p_reason text)
returns bigint language plpgsql as $$
declare p payments%rowtype; r refunds%rowtype; v_seen refund_transfers%rowtype;
begin
  select * into p from payments where id = p_payment_id for update;
  update payments set owed = owed + p_amount where id = p_payment_id;
  update refunds
     set state = case when transaction_id is not null then 'sent'
                      when prepared_at is null then 'claimed' else 'prepared' end, reason = p_reason,
         owed_at = clock_timestamp()
   where id = (select id from refunds
                where payment_id = p.id and order_id is not distinct from p.order_id and user_id = p_user_id
                  and amount = p_amount and state = 'written_off' and claimed_at is not null
                order by id desc limit 1 for update)
  returning * into r;
  if not found then
    p.amount := p_amount;
    insert into refunds (payment_id, order_id, user_id, currency_id, chain, from_height, currency, amount,
                         usd, reason)
    select p.id, p.order_id, p_user_id, k.id, p.chain, (select height from chains where name = p.chain),
           k.code, p_amount,
           case when o.currency_id = k.id then usd_of_payment(o, p)
                else usd_of_coin(p_amount, k.rate, coalesce(o.price_usd, c.price_usd, 0)) end, p_reason
      from currencies k cross join campaign c left join orders o on o.id = p.order_id
     where k.id = p.currency_id
    returning * into r;
  end if;
  perform post_refund(r, 'refund_owed');
  -- Only a restored refund has transfers.
  delete from refund_transfers x
   where (x.refund_id, x.transaction_id, x.output_key) = (
     select s.refund_id, s.transaction_id, s.output_key from refund_transfers s
      where s.refund_id = r.id and s.amount = r.amount and (s.is_ours or s.transaction_id = r.transaction_id)
      order by s.transaction_id = r.transaction_id desc nulls last, s.block_height nulls last,
               s.transaction_id, s.output_key limit 1)
  returning * into v_seen;
  if found then
    perform mark_refund_sent(r.id, v_seen.transaction_id);
    update refunds
       set output_key = v_seen.output_key, block_height = v_seen.block_height, inputs = v_seen.inputs
     where id = r.id;
  end if;
  return r.id;
end $$;

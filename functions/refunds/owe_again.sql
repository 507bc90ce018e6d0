-- Restores a written-off refund of a payment, for the same order and amount, with its address. A prepared or
-- sent refund stays so, because somebody may have signed or sent it meanwhile; that transfer then pays it.
-- Returns the refund, or null if there is none. The caller has locked the payment.
-- Rules: REFUND-12
create or replace function owe_again(
  p payments, p_user_id bigint, p_amount numeric, p_reason text
) returns refunds language plpgsql as $$
declare r refunds%rowtype; v_seen refund_transfers%rowtype;
begin
  select * into r from refunds
   where payment_id = p.id and order_id is not distinct from p.order_id and user_id = p_user_id
     and amount = p_amount and state = 'written_off' and claimed_at is not null
   order by id desc limit 1 for update;
  if not found then return null; end if;
  update refunds
     set state = case when transaction_id is not null then 'sent'
                      when prepared_at is null then 'claimed' else 'prepared' end, reason = p_reason,
         owed_at = clock_timestamp()
   where id = r.id returning * into r;
  perform post_refund(r, 'refund_owed');
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
  select * into r from refunds where id = r.id;
  return r;
end $$;

-- Marks a refund as sent by a transaction and notifies the buyer if that is new. Forgets the facts of any
-- previous transaction. The caller has checked that the transaction may send it. Returns its id, or null if
-- it is not claimed.
-- Rules: REFUND-3
create or replace function mark_refund_sent(p_refund_id bigint, p_transaction_id text)
returns bigint language plpgsql as $$
declare r refunds%rowtype;
begin
  select * into r from refunds
   where id = p_refund_id and state in ('claimed', 'prepared', 'sent') for update;
  if not found then return null; end if;
  if (r.state, r.transaction_id) is distinct from ('sent', p_transaction_id) then
    update refunds
       set state = 'sent', transaction_id = p_transaction_id,
           output_key = case when transaction_id = p_transaction_id then output_key end,
           inputs = case when transaction_id = p_transaction_id then inputs else '{}' end,
           lacking = case when transaction_id = p_transaction_id then lacking end
     where id = r.id;
    perform tell('refund_sent', r.order_id, r.user_id, jsonb_build_object('refund', r.id::text));
  end if;
  return r.id;
end $$;

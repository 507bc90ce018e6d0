-- A transaction that was to send a refund has failed in its block: the refund waits to be sent as before.
-- Rules: REFUND-7
create or replace function forget_failed_sending(p_transfer chain_transfer)
returns void language plpgsql as $$
declare r refunds%rowtype;
begin
  for r in
    select * from refunds
     where chain = p_transfer.chain and transaction_id = p_transfer.transaction_id and state = 'sent'
       and goes_to(refunds, p_transfer.address_key) and block_height is null
     order by id for update
  loop
    update refunds
       set state = case when prepared_at is null then 'claimed' else 'prepared' end, transaction_id = null,
           output_key = null, inputs = '{}', named_at = null, confirmations = 0
     where id = r.id;
    perform tell('order_changed', r.order_id, r.user_id) where r.order_id is not null;
  end loop;
end $$;

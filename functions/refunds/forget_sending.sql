-- Resets refunds whose transaction failed in its block or brings another amount there: they wait to be sent
-- again. A submitted transaction stays unless it failed, with its actual amount beside the refund. Returns
-- the orders to settle, because a payment that is gone is no longer owed once nothing sends it. The caller
-- has locked those orders.
-- Rules: REFUND-5, REFUND-6, REFUND-12
create or replace function forget_sending(t chain_transfer)
returns setof bigint language plpgsql as $$
declare r refunds%rowtype;
begin
  for r in
    update refunds
       set state = case when named_at is not null and not t.failed then 'sent'
                        when prepared_at is null then 'claimed' else 'prepared' end,
           transaction_id = case when named_at is not null and not t.failed then transaction_id end,
           named_at = case when not t.failed then named_at end,
           output_key = null, inputs = '{}', confirmations = 0
     where chain = t.chain and transaction_id = t.transaction_id and goes_to(refunds, t.address_key)
       and state = 'sent' and block_height is null
       and (t.failed or output_key = t.output_key and amount <> t.amount)
    returning *
  loop
    if r.order_id is not null then
      perform tell('order_changed', r.order_id, r.user_id);
      return next r.order_id;
    end if;
  end loop;
end $$;

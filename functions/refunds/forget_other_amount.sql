-- A transaction that was to send a refund has brought another amount in its block: it sends nothing of it.
-- One that an operator named stays named, and is shown beside the refund with what it brought.
-- Rules: REFUND-5
create or replace function forget_other_amount(p_transfer chain_transfer)
returns void language sql as $$
  update refunds
     set state = case when named_at is not null then 'sent' when prepared_at is null then 'claimed'
                      else 'prepared' end,
         transaction_id = case when named_at is not null then transaction_id end,
         output_key = null, inputs = '{}', confirmations = 0
   where chain = p_transfer.chain and transaction_id = p_transfer.transaction_id
     and output_key = p_transfer.output_key and goes_to(refunds, p_transfer.address_key)
     and state = 'sent' and block_height is null and amount <> p_transfer.amount
$$;

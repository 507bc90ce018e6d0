-- A transfer to an address at which a refund was claimed: the oldest refund of exactly that amount is sent by
-- it. Returns the refund's id, or null where the transfer pays none.
create or replace function record_refund_transfer(p_transfer chain_transfer)
returns bigint language plpgsql as $$
declare t chain_transfer := p_transfer; v_id bigint;
begin
  update refunds
     set block_height = coalesce(t.height, block_height),
         state = case when state = 'paid' then 'paid' else 'sent' end
   where chain = t.chain and transaction_id = t.transaction_id and output_key = t.output_key
     and address_key = t.address_key
  returning id into v_id;
  if found then return v_id; end if;
  select r.id into v_id
    from refunds r join currencies k on k.id = r.currency_id
   where r.chain = t.chain and r.address_key = t.address_key and r.amount = t.amount
     and r.state in ('claimed', 'prepared', 'sent')
     and (r.transaction_id is null or r.transaction_id = t.transaction_id) and r.output_key is null
     and case when t.asset = 'native' then coalesce(k.token_contract, '') = ''
              else lower(k.token_contract) = t.asset end
   order by (r.transaction_id is not null) desc, r.id limit 1 for update of r;
  if v_id is null then return null; end if;
  perform mark_refund_sent(v_id, t.transaction_id);
  update refunds set output_key = t.output_key, block_height = t.height where id = v_id;
  perform tell('order_changed', order_id, user_id) from refunds where id = v_id and order_id is not null;
  return v_id;
end $$;

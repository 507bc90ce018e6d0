-- Sets the transaction that an operator submitted for a refund, and takes over its transfer if it was already
-- seen at the refund's address (p_address as in goes_to). Returns the refund's id, or null if it is not
-- claimed or a block holds a different transaction of it.
-- Rules: REFUND-5
create or replace function name_refund_transaction(
  p_refund_id bigint, p_transaction_id text, p_address text
) returns bigint language plpgsql as $$
declare r refunds%rowtype; v_seen refund_transfers%rowtype;
begin
  select * into r from refunds
   where id = p_refund_id and state in ('claimed', 'prepared', 'sent')
     and (block_height is null or transaction_id = p_transaction_id) for update;
  if not found then return null; end if;
  update refunds set named_at = coalesce(named_at, clock_timestamp()) where id = r.id;
  perform mark_refund_sent(r.id, p_transaction_id);
  select x.* into v_seen from refund_transfers x join refunds f on f.id = x.refund_id
   where f.chain = r.chain and goes_to(f, p_address) and f.currency_id = r.currency_id
     and x.transaction_id = p_transaction_id and x.amount = r.amount
     and coalesce(x.block_height > r.from_height, true)
   order by x.output_key, x.refund_id <> r.id, x.refund_id limit 1;
  if found then
    update refunds
       set output_key = v_seen.output_key, block_height = v_seen.block_height, inputs = v_seen.inputs
     where id = r.id and output_key is null;
    delete from refund_transfers x using refunds f
     where f.id = x.refund_id and f.chain = r.chain and goes_to(f, p_address)
       and x.transaction_id = p_transaction_id and x.output_key = v_seen.output_key;
  end if;
  return r.id;
end $$;

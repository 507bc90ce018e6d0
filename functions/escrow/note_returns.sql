-- Notes whose orders an escrow cancelled or gave the money back of in a block, all of them: p_order_keys are
-- `CHAIN:ESCROW:ORDER`, beside the transactions. Of each payment the first block counts (count_returns).
-- Whose return the block does not hold although it was taken from it stands again. Returns the orders to
-- settle.
create or replace function note_returns(
  p_chain text, p_height bigint, p_order_keys text[], p_transaction_ids text[]
) returns setof bigint language plpgsql as $$
begin
  return query
  update payments p
     set returned_by = null, returned_height = null, fault = case when p.fault <> 'returned' then p.fault end
    from wallet_addresses a
   where p.chain = p_chain and p.returned_height = p_height and a.address = p.address
     and a.order_key <> all(p_order_keys)
  returning p.order_id;
  update payments p set returned_by = r.transaction_id, returned_height = p_height
    from unnest(p_order_keys, p_transaction_ids) r(order_key, transaction_id)
    join wallet_addresses a on a.order_key = r.order_key
   where p.address = a.address and p.chain = p_chain and p.alive and p.block_height <= p_height
     and (p.returned_height is null or p.returned_height > p_height);
end $$;

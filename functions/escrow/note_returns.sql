-- Notes whose orders an escrow cancelled or gave the money back of in a block, all of them: p_order_keys are
-- `CHAIN:ESCROW:ORDER`, beside the transactions and whether they sent the money. Of each payment the first
-- block counts (count_returns), and apart from that the first one that sent its money. Whose return the block
-- does not hold although it was taken from it stands again. Returns the orders to settle.
-- Rules: DELIVER-11
create or replace function note_returns(
  p_chain text, p_height bigint, p_order_keys text[], p_transaction_ids text[], p_refunds boolean[]
) returns setof bigint language plpgsql as $$
begin
  update payments p set refunded_by = null, refunded_height = null
    from wallet_addresses a
   where p.chain = p_chain and p.refunded_height = p_height and a.address = p.address
     and not exists (select from unnest(p_order_keys, p_refunds) r(order_key, is_refund)
                      where r.order_key = a.order_key and r.is_refund);
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
  update payments p set refunded_by = r.transaction_id, refunded_height = p_height
    from unnest(p_order_keys, p_transaction_ids, p_refunds) r(order_key, transaction_id, is_refund)
    join wallet_addresses a on a.order_key = r.order_key
   where r.is_refund and p.address = a.address and p.chain = p_chain and p.returned_height <= p_height
     and (p.refunded_height is null or p.refunded_height > p_height);
end $$;

-- Records the orders that escrows cancelled or paid back in block p_height: transaction n returned the order
-- n of p_order_keys (`CHAIN:ESCROW:ORDER`). The list is complete: a known return that is missing there is
-- marked as lacking, and dropped once it lacks_for_good, on the second node too if one is needed and exists.
-- A return keeps its first block until that block lacks it and another block has it, unless the second node
-- reported it in the first. Returns that count (count_returns) do not change.
-- Rules: DELIVER-11, SETTLE-20
create or replace function note_returns(
  p_chain text, p_height bigint, p_order_keys text[], p_transaction_ids text[]
) returns void language sql as $$
  update payments p
     set return_lacking = case when a.order_key <> all(p_order_keys)
                               then lacking_until_now(p.return_lacking) end
    from wallet_addresses a
   where a.address = p.address and p.chain = p_chain and p.returned_height = p_height and p.fault is null;
  update payments set returned_by = null, returned_height = null, return_lacking = null
   where chain = p_chain and returned_height = p_height and fault is null and lacks_for_good(return_lacking)
     and (not needs_second or (select second_above_usd from chains where name = p_chain) is null
          or exists (select from second_words w
                      where w.subject = 'return' and w.id = payments.id and lacks_for_good(w.lacking)));
  update payments p
     set returned_by = r.transaction_id, returned_height = p_height, return_lacking = null
    from unnest(p_order_keys, p_transaction_ids) r(order_key, transaction_id)
    join wallet_addresses a on a.order_key = r.order_key
   where p.address = a.address and p.chain = p_chain and p.alive and p.block_height <= p_height
     and (p.returned_height is null or p.return_lacking is not null and not exists (
            select from second_words w
             where w.subject = 'return' and w.id = p.id and w.height = p.returned_height));
$$;

-- Records the orders that escrows cancelled or paid back in the block p_height. p_order_keys
-- (`CHAIN:ESCROW:ORDER`) must be all of them, because a known return that is not among them is lacking.
-- Element n of p_transaction_ids and p_refunds is the transaction, and whether it sent the money. A payment
-- keeps the lowest block with a return and, apart from that, the lowest one that sent the money. Both are
-- undone once readings at least an hour apart lacked them and, where the payment needs the second node and
-- there is one still, that one lacks them too. Without the cancellation, the block that sent the money is the
-- return. Returns the orders whose return was undone.
-- Rules: DELIVER-11, SETTLE-20
create or replace function note_returns(
  p_chain text, p_height bigint, p_order_keys text[], p_transaction_ids text[], p_refunds boolean[]
) returns setof bigint language plpgsql as $$
declare
  v_unreturned bigint[]; v_unsent bigint[]; v_is_alone boolean := not needs_second(p_chain, 'infinity');
begin
  select array_agg(p.id) filter (where p.returned_height = p_height and s.is_refund is null),
         array_agg(p.id) filter (where p.refunded_height = p_height and s.is_refund is not true)
    into v_unreturned, v_unsent
    from payments p join wallet_addresses a on a.address = p.address
    left join (select order_key, bool_or(is_refund) as is_refund
                 from unnest(p_order_keys, p_refunds) r(order_key, is_refund) group by order_key) s
      on s.order_key = a.order_key
   where p.chain = p_chain and (p.returned_height = p_height or p.refunded_height = p_height);
  update payments
     set return_lacking = case when id = any(v_unreturned || v_unsent)
                               then lacking_until_now(return_lacking) end
   where chain = p_chain and (returned_height = p_height or refunded_height = p_height)
     and (return_lacking is not null or id = any(v_unreturned || v_unsent));
  update payments set refunded_by = null, refunded_height = null
   where id = any(v_unsent) and lacks_for_good(return_lacking)
     and (v_is_alone or not needs_second or second_lacks('return', id));
  return query
  update payments
     set returned_by = refunded_by, returned_height = refunded_height, return_lacking = null,
         fault = case when fault <> 'returned' then fault end,
         final_at = case when confirmed then final_at end
   where id = any(v_unreturned) and lacks_for_good(return_lacking)
     and (v_is_alone or not needs_second or second_lacks('return', id))
  returning order_id;
  update payments p
     set returned_by = r.transaction_id, returned_height = p_height, return_lacking = null
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

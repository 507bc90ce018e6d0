-- Marks payments as returned by their escrow once the return is p_final_depth deep, on the second node too
-- and final if the payment needs that. The block is then not read again, so nobody can buy the room of an
-- order whose escrow owes its tokens after all. A return that its block lacked at the last read does not
-- count. Returns the orders to settle.
-- Rules: DELIVER-11
create or replace function count_returns(p_chain text, p_height bigint, p_final_depth integer)
returns setof bigint language sql as $$
  update payments p set fault = 'returned' from chains c
   where c.name = p_chain and p.chain = p_chain and p.returned_height is not null and p.fault is null
     and p.return_lacking is null
     and p_height - p.returned_height + 1 >= p_final_depth
     and (not p.needs_finalized or p.returned_height <= coalesce(c.finalized_height, -1))
     and (not p.needs_second or c.second_above_usd is null
          or second_agrees('return', p.id, p.returned_height, p_final_depth, p.needs_finalized))
  returning p.order_id
$$;

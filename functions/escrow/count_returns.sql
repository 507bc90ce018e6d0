-- Marks payments as returned by their escrow once the block with the return has what the payment needed:
-- confirmations, finality, the second node if there is one still. A return that its block lacked when it was
-- read last does not count yet. Returns the orders to settle.
-- Rules: DELIVER-11
create or replace function count_returns(p_chain text, p_height bigint) returns setof bigint
language sql as $$
  update payments p set fault = 'returned' from chains c
   where c.name = p_chain and p.chain = p_chain and p.returned_height is not null and p.fault is null
     and p.return_lacking is null
     and p_height - p.returned_height + 1 >= p.confirmations_needed
     and (not p.needs_finalized or p.returned_height <= coalesce(c.finalized_height, -1))
     and (not p.needs_second or c.second_above_usd is null
          or second_agrees('return', p.id, p.returned_height, p.confirmations_needed, p.needs_finalized))
  returning p.order_id
$$;

-- What escrows gave back above p_height has not happened: those payments stand again. One that became final
-- meanwhile was confirmed by nothing: it is judged again. Returns the orders to settle.
-- Rules: DELIVER-11
create or replace function undo_returns(p_chain text, p_height bigint) returns setof bigint language sql as $$
  update payments p set refunded_by = null, refunded_height = null
   where p.chain = p_chain and p.refunded_height > p_height;
  update payments p
     set returned_by = null, returned_height = null, return_lacking = null,
         final_at = case when p.confirmed then p.final_at end,
         fault = case when p.fault <> 'returned' then p.fault end
   where p.chain = p_chain and p.returned_height > p_height
  returning p.order_id
$$;

-- Returns orders that reserve room for a signature which no block of p_chain can pay any more. Settling frees
-- the room.
-- Rules: HOLD-6, DELIVER-25
create or replace function ended_signatures(p_chain text) returns setof bigint language sql stable as $$
  select o.id from orders o join escrows e on e.id = o.escrow_id
   where o.held and e.chain = p_chain and not is_in_escrow(o.id) and not may_be_paid_in_escrow(o.id)
$$;

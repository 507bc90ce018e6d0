-- Records what an address held at block p_given_at, when it was given out. The chain's node says that it
-- holds p_balance at block p_height. That block is later where the node no longer knows the older balance:
-- then the address held nothing if all that it holds is known to have come since p_given_at. If not, its
-- balance stays unknown, and the node is asked again. Writes nothing if a reorganisation has changed the
-- block from which the address counts meanwhile.
-- Rules: SETTLE-25
create or replace function note_base(
  p_chain text, p_address_id bigint, p_given_at bigint, p_balance numeric, p_height bigint
) returns void language sql as $$
  update wallet_addresses a
     set base_height = p_given_at, base_balance = case when p_height = p_given_at then p_balance else 0 end
   where a.id = p_address_id and a.base_balance is null and coalesce(a.base_height, p_given_at) = p_given_at
     and (p_height = p_given_at or p_balance <= (
           select k.balance from known_balances(p_chain, a, p_given_at, 0) k
            where k.height <= p_height order by k.height desc limit 1))
$$;

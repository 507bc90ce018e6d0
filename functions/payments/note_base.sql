-- Records what an address held at block p_given_at, when it was given out. The chain's node says that it
-- holds p_balance at block p_height. That block is later where the node no longer knows the older balance:
-- then the address held nothing if known payments since p_given_at brought all of p_balance. If they did not,
-- its balance stays unknown, and the node is asked again. Writes nothing if a reorganisation has changed the
-- block from which the address counts meanwhile.
-- Rules: SETTLE-25
create or replace function note_base(
  p_address_id bigint, p_given_at bigint, p_balance numeric, p_height bigint
) returns void language sql as $$
  update wallet_addresses a
     set base_height = p_given_at, base_balance = case when p_height = p_given_at then p_balance else 0 end
   where a.id = p_address_id and a.base_balance is null and coalesce(a.base_height, p_given_at) = p_given_at
     and (p_height = p_given_at or p_balance <= (
           select coalesce(sum(p.amount), 0) from payments p
            where p.address = a.address and p.asset = 'native' and not p.failed
              and p.block_height > p_given_at and p.block_height <= p_height))
$$;

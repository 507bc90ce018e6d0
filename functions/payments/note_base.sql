-- Notes what an address held when it was given out, at p_given_at, of which the chain's node says that it
-- holds p_balance at p_height. Where that is later (the node has forgotten what was then), it held nothing if
-- known payments brought all of it; else it stays unknown, and is asked again. Nothing where a
-- reorganisation has put p_given_at elsewhere meanwhile.
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

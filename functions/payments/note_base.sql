-- Records what an address held at block p_given_at, when it was given out, and how many transactions it had
-- sent by then: a wallet that was in use before may have sent some. The chain's node says that it holds
-- p_balance at block p_height and has sent p_sent. That block is later where the node no longer knows the
-- older one: then the address held nothing if all that it holds is known to have come since p_given_at, and
-- had sent what is not known to have been sent since. If not, its balance stays unknown, and is asked again.
-- Writes nothing if a reorganisation has changed the block from which the address counts meanwhile.
-- Rules: SETTLE-25
create or replace function note_base(
  p_chain text, p_address_id bigint, p_given_at bigint, p_balance numeric, p_sent bigint, p_height bigint
) returns void language sql as $$
  update wallet_addresses a
     set base_height = p_given_at, base_balance = case when p_height = p_given_at then p_balance else 0 end,
         base_sent = p_sent - since.sent
    from wallet_addresses b, lateral (
           select k.balance, k.sent from known_balances(p_chain, b, p_given_at, 0, 0) k
            where k.height <= p_height order by k.height desc limit 1) since
   where a.id = p_address_id and b.id = a.id and a.base_balance is null
     and coalesce(a.base_height, p_given_at) = p_given_at and p_sent >= since.sent
     and (p_height = p_given_at or p_balance <= since.balance)
$$;

-- Records an address's balance and sent transactions at block p_given_at, when it was assigned; a wallet in
-- use may have sent some. The node reports p_balance and p_sent at p_height, which is later if it lost the
-- older state. The initial balance is then 0 if known payments since p_given_at explain it all; otherwise
-- it stays unknown and is asked again. Writes nothing if a reorg changed the base block meanwhile.
-- Rules: SETTLE-2
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

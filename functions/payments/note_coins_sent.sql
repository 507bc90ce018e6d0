-- Notes what our addresses sent in block p_height: p_costs are the coins that each transaction took from its
-- sender, fees included. What was noted of that block and is not among them is lacking: where two readings an
-- hour apart lack it (lacks_for_good), nothing was sent. What another block lists says nothing unless its own
-- block lacks it.
-- Rules: SETTLE-20
create or replace function note_coins_sent(
  p_chain text, p_height bigint, p_transaction_ids text[], p_senders text[], p_costs numeric[]
) returns void language sql as $$
  update coins_sent set lacking = lacking_until_now(lacking)
   where chain = p_chain and height = p_height and transaction_id <> all(p_transaction_ids);
  insert into coins_sent (chain, transaction_id, sender, height, cost)
  select p_chain, s.id, s.sender, p_height, s.cost
    from unnest(p_transaction_ids, p_senders, p_costs) s(id, sender, cost)
  on conflict (chain, transaction_id)
  do update set height = excluded.height, cost = excluded.cost, lacking = null
   where coins_sent.height = excluded.height or coins_sent.lacking is not null;
$$;

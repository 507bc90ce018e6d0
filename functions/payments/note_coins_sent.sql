-- Records transactions of our addresses in block p_height; p_costs include fees. A recorded transaction
-- missing from the list is marked as lacking; after two readings an hour apart (lacks_for_good) it no longer
-- counts. A report of another block is ignored unless the recorded block lacks the transaction.
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

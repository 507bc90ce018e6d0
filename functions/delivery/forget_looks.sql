-- Invalidates readings of contracts and addresses in blocks that are no longer on the followed chain: above
-- p_height or on other forks. Until the next reading, escrows and addresses are unknown, and a live round's
-- distributor has the fault distributor_reorganised.
-- Rules: DELIVER-14
create or replace function forget_looks(p_chain text, p_height bigint default null) returns void
language sql as $$
  delete from escrow_looks l using escrows e
   where e.id = l.escrow_id and e.chain = p_chain
     and (l.height > p_height or is_on_other_fork(p_chain, l.height, l.block_hash));
  delete from holding_looks l
   where l.chain = p_chain and (l.height > p_height or is_on_other_fork(p_chain, l.height, l.block_hash));
  -- The next reading may be at a lower block, but not below the block that made the round live.
  update delivery_looks l set height = least(p_height, d.height), fault = 'distributor_reorganised'
    from delivery_rounds r, delivery_distributors d
   where r.number = l.round and d.round = l.round and r.network = p_chain
     and (l.height > p_height or is_on_other_fork(p_chain, l.height, l.block_hash));
$$;

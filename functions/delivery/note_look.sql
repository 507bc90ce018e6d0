-- Records a reading of a live round's distributor. A failed reading (p_look.failure), or one from another
-- fork, records only its failure and keeps the last result. A reading of an older block is ignored. Locks the
-- chain.
-- Rules: DELIVER-14, DELIVER-33
create or replace function note_look(p_look delivery_looks) returns void language plpgsql as $$
declare l delivery_looks := p_look;
begin
  if l.failure is null and is_on_other_fork(
       (select r.network from delivery_rounds r where r.number = l.round), l.height, l.block_hash) then
    l.failure := 'node_silent';
  end if;
  if l.failure is not null then
    update delivery_looks
       set failure = l.failure, failing_since = coalesce(failing_since, clock_timestamp())
     where round = l.round;
    return;
  end if;
  update delivery_looks
     set height = l.height, block_hash = l.block_hash, mined_at = l.mined_at,
         balance = l.balance, claimed = l.claimed, fault = l.fault,
         looked_at = clock_timestamp(), failure = null, failing_since = null
   where round = l.round and height <= l.height;
end $$;

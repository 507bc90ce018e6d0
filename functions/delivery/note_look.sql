-- Notes a look at a live round's distributor. Of one that failed (p_look.failure) only that is kept, beside
-- what the last one showed. One of an older block than is noted came late, and says nothing.
create or replace function note_look(p_look delivery_looks) returns void language sql as $$
  update delivery_looks
     set failure = p_look.failure, failing_since = coalesce(failing_since, clock_timestamp())
   where round = p_look.round and p_look.failure is not null;
  update delivery_looks
     set height = p_look.height, block_hash = p_look.block_hash, mined_at = p_look.mined_at,
         balance = p_look.balance, claimed = p_look.claimed, fault = p_look.fault,
         looked_at = clock_timestamp(), failure = null, failing_since = null
   where round = p_look.round and p_look.failure is null and height <= p_look.height
$$;

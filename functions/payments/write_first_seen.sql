-- Stores, once, when each payment was first seen and the rate of a late one: as soon as enough nodes show the
-- payment in a block. No reorg changes them.
-- Rules: SETTLE-3
create or replace function write_first_seen(p_chain text) returns void language sql as $$
  update payments p set first_seen_at = first_seen_of(p), late_rate = late_rate_of(p)
   where p.chain = p_chain and p.final_at is null and p.first_seen_at is null and not p.failed
     and p.block_height is not null and (not p.needs_second or p.verified_hash = p.block_hash)
$$;

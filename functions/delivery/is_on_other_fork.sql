-- Returns whether the followed chain has a different block at this height; false if the block was not read
-- yet or is no longer stored. Locks the chain until the caller has written its reading. A reorg is thus
-- either visible here, or happens later and deletes the reading.
-- Rules: DELIVER-14
create or replace function is_on_other_fork(p_chain text, p_height bigint, p_hash text) returns boolean
language plpgsql as $$
begin
  perform from chains where name = p_chain for share;
  return exists (select from chain_blocks where chain = p_chain and height = p_height and hash <> p_hash);
end $$;

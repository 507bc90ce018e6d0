-- Whether the chain that is followed has another block than this at its height. Not known of what it has not
-- read yet, nor of what lies below the blocks that are kept. Locks the chain until whoever asks has written
-- what it read there: a reorganisation is seen here, or comes after it and forgets what was written.
-- Rules: DELIVER-14
create or replace function is_on_other_fork(p_chain text, p_height bigint, p_hash text) returns boolean
language plpgsql as $$
begin
  perform from chains where name = p_chain for share;
  return exists (select from chain_blocks where chain = p_chain and height = p_height and hash <> p_hash);
end $$;

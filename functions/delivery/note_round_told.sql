-- Records that these buyers were mailed about an announced round; an empty list records that all were.
-- Returns false unless the round is still announced.
create or replace function note_round_told(p_round integer, p_user_ids bigint[]) returns boolean
language plpgsql as $$
begin
  perform 1 from delivery_rounds where number = p_round and state = 'announced' for no key update;
  if not found then return false; end if;
  insert into delivery_round_notices (round, user_id)
  select p_round, user_id from unnest(p_user_ids) as told(user_id);
  if cardinality(p_user_ids) = 0 then
    update delivery_rounds set told_at = clock_timestamp() where number = p_round and told_at is null;
  end if;
  return true;
end $$;

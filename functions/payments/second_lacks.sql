-- Returns whether the second node lacked a refund's transfer or a payment's return (p_subject) in readings at
-- least an hour apart, without showing it in between.
-- Rules: SETTLE-20, SETTLE-28
create or replace function second_lacks(p_subject text, p_id bigint) returns boolean
language sql stable as $$
  select exists (select from second_words where subject = p_subject and id = p_id and lacks_for_good(lacking))
$$;

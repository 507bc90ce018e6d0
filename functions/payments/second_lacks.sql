-- Whether the second node lacked a refund's sending, or a payment's return (p_subject), in two readings an
-- hour apart.
-- Rules: SETTLE-20, SETTLE-28
create or replace function second_lacks(p_subject text, p_id bigint) returns boolean
language sql stable as $$
  select exists (select from second_words where subject = p_subject and id = p_id and lacks_for_good(lacking))
$$;

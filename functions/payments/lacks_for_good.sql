-- Whether two readings an hour apart lacked the same. One answer, however empty, is no fact.
-- Rules: SETTLE-20
create or replace function lacks_for_good(p_lacking tstzrange) returns boolean language sql immutable as $$
  select coalesce(upper(p_lacking) - lower(p_lacking) >= interval '1 hour', false)
$$;

-- Returns whether two readings at least an hour apart lacked the same. One empty answer proves nothing.
-- Rules: SETTLE-20
create or replace function lacks_for_good(p_lacking tstzrange) returns boolean language sql immutable as $$
  select coalesce(upper(p_lacking) - lower(p_lacking) >= interval '1 hour', false)
$$;

-- Returns whether all nodes that a payment needs lack it, each in two readings an hour apart.
-- Rules: SETTLE-20
create or replace function is_lost(p payments) returns boolean language sql immutable as $$
  select lacks_for_good(p.lacking) and (not p.needs_second or lacks_for_good(p.second_lacking))
$$;

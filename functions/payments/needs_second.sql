-- Whether what is worth so many dollars counts by the word of two nodes.
-- Rules: SETTLE-4
create or replace function needs_second(p_chain text, p_usd numeric) returns boolean language sql stable as $$
  select coalesce(p_usd > (select second_above_usd from chains where name = p_chain), false)
$$;

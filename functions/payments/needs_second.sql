-- Returns whether the second node must also show a payment or refund of p_usd. False if the chain has no
-- second node.
-- Rules: SETTLE-4
create or replace function needs_second(p_chain text, p_usd numeric) returns boolean language sql stable as $$
  select coalesce(p_usd > (select second_above_usd from chains where name = p_chain), false)
$$;

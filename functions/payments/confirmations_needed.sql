-- Returns the confirmations, at least one, and finality that a payment or refund of p_usd needs on a chain:
-- the first matching rule, or 100 confirmations if none matches. second: the second node must show it too;
-- false if the chain has none.
-- Rules: SETTLE-4
create or replace function confirmations_needed(
  p_chain text, p_usd numeric, out needed integer, out finalized boolean, out second boolean
)
language plpgsql stable as $$
begin
  select greatest(1, (r ->> 'confirmations')::integer), coalesce((r ->> 'finalized')::boolean, false)
    into needed, finalized
    from chains c, jsonb_array_elements(c.confirmation_rules) with ordinality as rules(r, position)
   where c.name = p_chain and (r ->> 'belowUsd' is null or p_usd < (r ->> 'belowUsd')::numeric)
   order by position limit 1;
  if needed is null then needed := 100; finalized := false; end if;
  second := coalesce(p_usd > (select second_above_usd from chains where name = p_chain), false);
end $$;

-- Returns the confirmations, at least one, and finality that a payment of p_usd needs on a chain: the first
-- matching rule, or 100 confirmations if none matches.
-- Rules: SETTLE-4
create or replace function confirmations_needed(
  p_chain text, p_usd numeric, out needed integer, out finalized boolean
)
language plpgsql stable as $$
begin
  select greatest(1, (r ->> 'confirmations')::integer), coalesce((r ->> 'finalized')::boolean, false)
    into needed, finalized
    from chains c, jsonb_array_elements(c.confirmation_rules) with ordinality as rules(r, position)
   where c.name = p_chain and (r ->> 'belowUsd' is null or p_usd < (r ->> 'belowUsd')::numeric)
   order by position limit 1;
  if needed is null then needed := 100; finalized := false; end if;
end $$;

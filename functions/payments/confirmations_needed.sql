-- How many confirmations a payment of p_usd dollars needs on a chain, at least one, and whether its block has
-- to be final: the first rule of the chain that fits, or 100 where none does.
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

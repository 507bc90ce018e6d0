-- Reserves USD of the stage's goal and the hard cap, and tokens of the sold and bonus shares. Updates only
-- this connection's slot if it has enough. Returns null, cap_reached or supply_reached.
-- Rules: HOLD-1
create or replace function take_capacity(p_stage integer, p_usd numeric, p_sale numeric, p_bonus numeric)
returns text language plpgsql as $$
declare v_slot integer := slot_of_connection();
begin
  update capacity_slots
     set usd = usd - p_usd, sale_tokens = sale_tokens - p_sale, bonus_tokens = bonus_tokens - p_bonus
   where stage_id = p_stage and slot = v_slot and usd >= p_usd and sale_tokens >= p_sale
     and bonus_tokens >= p_bonus;
  if found then return null; end if;
  return refill_and_take(p_stage, v_slot, p_usd, p_sale, p_bonus);
end $$;

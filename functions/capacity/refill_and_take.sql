-- The slow path of take_capacity. Refills this connection's slot by the missing part or 1/128 of the pools,
-- whichever is more. If the pools have too little, calls all slots in first. Returns null, cap_reached or
-- supply_reached.
-- Rules: HOLD-1, STAGE-5
create or replace function refill_and_take(
  p_stage integer, p_slot integer, p_usd numeric, p_sale numeric, p_bonus numeric
) returns text language plpgsql as $$
declare
  v_goal numeric; v_cap numeric; v_sale numeric; v_bonus numeric;
  v_slot capacity_slots%rowtype;
  v_take_usd numeric; v_take_sale numeric; v_take_bonus numeric;
begin
  select pool_usd into v_goal from stage_capacity where stage_id = p_stage for update;
  select pool_usd, pool_sale_tokens, pool_bonus_tokens into v_cap, v_sale, v_bonus
    from campaign_capacity for update;
  insert into capacity_slots (stage_id, slot) values (p_stage, p_slot) on conflict do nothing;
  select * into v_slot from capacity_slots where stage_id = p_stage and slot = p_slot for update;

  if p_usd - v_slot.usd <= least(v_goal, v_cap) and p_sale - v_slot.sale_tokens <= v_sale
     and p_bonus - v_slot.bonus_tokens <= v_bonus then
    v_take_usd := least(v_goal, v_cap, greatest(p_usd - v_slot.usd, round(least(v_goal, v_cap) / 128, 2)));
    v_take_sale := least(v_sale, greatest(p_sale - v_slot.sale_tokens, round(v_sale / 128, 6)));
    v_take_bonus := least(v_bonus, greatest(p_bonus - v_slot.bonus_tokens, round(v_bonus / 128, 6)));
    update stage_capacity set pool_usd = pool_usd - v_take_usd where stage_id = p_stage;
    update campaign_capacity
       set pool_usd = pool_usd - v_take_usd, pool_sale_tokens = pool_sale_tokens - v_take_sale,
           pool_bonus_tokens = pool_bonus_tokens - v_take_bonus;
    update capacity_slots
       set usd = usd + v_take_usd - p_usd, sale_tokens = sale_tokens + v_take_sale - p_sale,
           bonus_tokens = bonus_tokens + v_take_bonus - p_bonus
     where stage_id = p_stage and slot = p_slot;
    return null;
  end if;

  perform lock_pools();
  perform call_in_slots();
  select pool_usd into v_goal from stage_capacity where stage_id = p_stage;
  select pool_usd, pool_sale_tokens, pool_bonus_tokens into v_cap, v_sale, v_bonus from campaign_capacity;
  if p_usd > least(v_goal, v_cap) then return 'cap_reached'; end if;
  if p_sale > v_sale or p_bonus > v_bonus then return 'supply_reached'; end if;
  update stage_capacity set pool_usd = pool_usd - p_usd where stage_id = p_stage;
  update campaign_capacity
     set pool_usd = pool_usd - p_usd, pool_sale_tokens = pool_sale_tokens - p_sale,
         pool_bonus_tokens = pool_bonus_tokens - p_bonus;
  return null;
end $$;

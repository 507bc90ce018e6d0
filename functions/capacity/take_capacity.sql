-- Subtracts p_usd from the pools of the stage and the hard cap, p_sale and p_bonus from those of the two
-- shares. Negative amounts return capacity. Returns null. If too little is left, changes nothing and returns
-- cap_reached (also for an unknown stage) or supply_reached. The caller has locked the pools.
-- Rules: HOLD-1, STAGE-5
create or replace function take_capacity(p_stage integer, p_usd numeric, p_sale numeric, p_bonus numeric)
returns text language plpgsql as $$
declare v_left numeric;
begin
  select least(s.pool_usd, c.pool_usd) into v_left
    from stage_capacity s cross join campaign_capacity c where s.stage_id = p_stage;
  if (p_usd <= v_left) is not true then return 'cap_reached'; end if;
  update campaign_capacity
     set pool_usd = pool_usd - p_usd, pool_sale_tokens = pool_sale_tokens - p_sale,
         pool_bonus_tokens = pool_bonus_tokens - p_bonus
   where p_sale <= pool_sale_tokens and p_bonus <= pool_bonus_tokens;
  if not found then return 'supply_reached'; end if;
  update stage_capacity set pool_usd = pool_usd - p_usd where stage_id = p_stage;
  return null;
end $$;

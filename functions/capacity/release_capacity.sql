-- Returns a reservation or a purchase to the pools, never to a slot.
-- Rules: HOLD-1
create or replace function release_capacity(p_stage integer, p_usd numeric, p_sale numeric, p_bonus numeric)
returns void language plpgsql as $$
begin
  update stage_capacity set pool_usd = pool_usd + p_usd where stage_id = p_stage;
  update campaign_capacity
     set pool_usd = pool_usd + p_usd, pool_sale_tokens = pool_sale_tokens + p_sale,
         pool_bonus_tokens = pool_bonus_tokens + p_bonus;
end $$;

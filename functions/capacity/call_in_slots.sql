-- Moves the contents of all slots back into the pools. Locks every slot in order; the caller has locked the
-- pools.
create or replace function call_in_slots() returns void language plpgsql as $$
begin
  perform 1 from capacity_slots order by stage_id, slot for update;
  update stage_capacity c set pool_usd = c.pool_usd + s.usd
    from (select stage_id, sum(usd) as usd from capacity_slots group by stage_id) s
   where s.stage_id = c.stage_id and s.usd > 0;
  update campaign_capacity c
     set pool_usd = c.pool_usd + s.usd, pool_sale_tokens = c.pool_sale_tokens + s.sale,
         pool_bonus_tokens = c.pool_bonus_tokens + s.bonus
    from (select coalesce(sum(usd), 0) as usd, coalesce(sum(sale_tokens), 0) as sale,
                 coalesce(sum(bonus_tokens), 0) as bonus
            from capacity_slots) s;
  update capacity_slots set usd = 0, sale_tokens = 0, bonus_tokens = 0
   where usd > 0 or sale_tokens > 0 or bonus_tokens > 0;
end $$;

-- Applies goals, caps and shares in the transaction of their change: sets each pool to its limit minus the
-- tokens and USD of orders and grants. The tables reject a pool below 0.
-- Rules: FIXED-1
create or replace function set_capacity(p_hard_cap_usd numeric, p_sale_tokens numeric, p_bonus_tokens numeric)
returns void language sql as $$
  insert into campaign_capacity (id, pool_usd, pool_sale_tokens, pool_bonus_tokens) values (1, 0, 0, 0)
  on conflict do nothing;
  insert into stage_capacity (stage_id, pool_usd) select id, 0 from stages on conflict do nothing;
  select lock_pools();
  update stage_capacity c set pool_usd = s.goal_usd - t.usd
    from taken_capacity() t join stages s on s.id = t.stage_id where c.stage_id = t.stage_id;
  update campaign_capacity c
     set pool_usd = p_hard_cap_usd - t.usd, pool_sale_tokens = p_sale_tokens - t.sale,
         pool_bonus_tokens = p_bonus_tokens - t.bonus - c.granted_tokens
    from (select coalesce(sum(usd), 0) as usd, coalesce(sum(sale_tokens), 0) as sale,
                 coalesce(sum(bonus_tokens), 0) as bonus from taken_capacity()) t;
$$;

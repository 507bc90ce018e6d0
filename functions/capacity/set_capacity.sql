-- Puts goals, caps and shares in force: calls everything in and sets each pool to its limit less what orders
-- and grants hold. Refusals where less than that would be left: cap_reached, supply_reached. One transaction
-- with the change itself.
-- Rules: FIXED-1
create or replace function set_capacity(p_hard_cap_usd numeric, p_sale_tokens numeric, p_bonus_tokens numeric)
returns text language plpgsql as $$
declare v_taken numeric[]; v_granted numeric; v_stage record;
begin
  insert into campaign_capacity (id, pool_usd, pool_sale_tokens, pool_bonus_tokens) values (1, 0, 0, 0)
  on conflict do nothing;
  insert into stage_capacity (stage_id, pool_usd) select id, 0 from stages on conflict do nothing;
  insert into capacity_slots (stage_id, slot)
  select s.id, n from stages s, generate_series(0, slot_count() - 1) n on conflict do nothing;
  perform lock_pools();
  perform call_in_slots();
  select granted_tokens into v_granted from campaign_capacity;
  v_taken := array[0, 0, 0];
  for v_stage in
    select t.*, s.goal_usd - t.usd as left_usd from taken_capacity() t join stages s on s.id = t.stage_id
  loop
    if v_stage.left_usd < 0 then return 'cap_reached'; end if;
    update stage_capacity set pool_usd = v_stage.left_usd where stage_id = v_stage.stage_id;
    v_taken := array[v_taken[1] + v_stage.usd, v_taken[2] + v_stage.sale_tokens,
                     v_taken[3] + v_stage.bonus_tokens];
  end loop;
  if p_hard_cap_usd < v_taken[1] then return 'cap_reached'; end if;
  if p_sale_tokens < v_taken[2] or p_bonus_tokens < v_taken[3] + v_granted then
    return 'supply_reached';
  end if;
  update campaign_capacity
     set pool_usd = p_hard_cap_usd - v_taken[1], pool_sale_tokens = p_sale_tokens - v_taken[2],
         pool_bonus_tokens = p_bonus_tokens - v_taken[3] - v_granted;
  return null;
end $$;

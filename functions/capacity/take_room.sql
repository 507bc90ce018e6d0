-- Changes the order's room so that purchase + room equals these amounts; never changes the purchase. o is the
-- current row, locked by the caller. Returns null. If too little is left, changes nothing and returns
-- cap_reached or supply_reached. Locks the pools if the room changes.
-- Rules: HOLD-1, HOLD-4
create or replace function take_room(o orders, p_usd numeric, p_base numeric, p_bonus numeric)
returns text language plpgsql as $$
declare
  v_usd numeric; v_base numeric; v_bonus numeric; v_refusal text;
  v_is_bought constant integer := (o.status = 'approved')::integer;
begin
  v_usd := greatest(0, p_usd - v_is_bought * o.usd) - o.room_usd;
  v_base := greatest(0, p_base - v_is_bought * o.base_tokens) - o.room_base;
  v_bonus := greatest(0, p_bonus - v_is_bought * o.bonus_tokens) - o.room_bonus;
  if (v_usd, v_base, v_bonus) = (0, 0, 0) then return null; end if;
  perform lock_pools();
  v_refusal := take_capacity(o.stage_id, v_usd, v_base, v_bonus);
  if v_refusal is not null then return v_refusal; end if;
  update orders
     set room_usd = room_usd + v_usd, room_base = room_base + v_base, room_bonus = room_bonus + v_bonus
   where id = o.id;
  return null;
end $$;

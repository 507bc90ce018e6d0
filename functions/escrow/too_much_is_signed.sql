-- Returns whether, with this order, unpaid signatures would take more than half of the stage's remaining USD
-- or of the tokens left to sell.
-- Rules: HOLD-3
create or replace function too_much_is_signed(o orders) returns boolean language plpgsql as $$
declare
  v_signed_usd numeric; v_signed_tokens numeric; v_left_usd numeric; v_left_tokens numeric;
begin
  select coalesce(sum(room_usd) filter (where stage_id = o.stage_id), 0), coalesce(sum(room_base), 0)
    into v_signed_usd, v_signed_tokens
    from orders where held and escrow_id is not null and not is_in_escrow(id) and id <> o.id;
  select c.pool_usd, a.pool_sale_tokens into v_left_usd, v_left_tokens
    from stage_capacity c cross join campaign_capacity a where c.stage_id = o.stage_id;
  return v_signed_usd + o.usd > (v_left_usd + o.room_usd + v_signed_usd) / 2
      or v_signed_tokens + o.base_tokens > (v_left_tokens + o.room_base + v_signed_tokens) / 2;
end $$;

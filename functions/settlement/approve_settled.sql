-- Puts the settled amounts into an order and approves it. Capacity follows the difference while the order
-- holds its place; else all of it is taken. Locks: order row (caller's) → pools → holdings. Returns null, or
-- the refusal and then leaves amounts and capacity as they were: cap_reached, supply_reached,
-- soft_cap_missed, order_state.
create or replace function approve_settled(o orders, s settlement) returns text language plpgsql as $$
declare v_refusal text;
begin
  -- A refusal undoes what this block wrote.
  begin
    if not o.held then
      v_refusal := take_capacity(o.stage_id, s.usd, s.base_tokens, s.bonus_tokens);
    elsif s.usd > o.usd or s.base_tokens > o.base_tokens or s.bonus_tokens > o.bonus_tokens then
      v_refusal := take_capacity(
        o.stage_id, greatest(0, s.usd - o.usd), greatest(0, s.base_tokens - o.base_tokens),
        greatest(0, s.bonus_tokens - o.bonus_tokens));
    end if;
    if v_refusal is not null then return v_refusal; end if;
    if o.held and (s.usd < o.usd or s.base_tokens < o.base_tokens or s.bonus_tokens < o.bonus_tokens) then
      perform lock_pools();
      perform release_capacity(
        o.stage_id, greatest(0, o.usd - s.usd), greatest(0, o.base_tokens - s.base_tokens),
        greatest(0, o.bonus_tokens - s.bonus_tokens));
    end if;
    update orders
       set base_tokens = s.base_tokens, bonus_tokens = s.bonus_tokens, bonus_percent = s.bonus_percent,
           usd = s.usd, crypto_amount = s.crypto_amount, rate = s.rate, held = true,
           asked = nullif(asked_of(orders), row(s.base_tokens, s.bonus_tokens, s.bonus_percent, s.usd,
                                                round(s.crypto_amount, 6), s.rate)::order_amounts)
     where id = o.id
       and (base_tokens, bonus_tokens, bonus_percent, usd, crypto_amount, rate, held)
           is distinct from (s.base_tokens, s.bonus_tokens, s.bonus_percent, s.usd, round(s.crypto_amount, 6),
                             s.rate, true);
    select a.refusal into v_refusal from approve_order(o.id, 'chain', null, null, null) a;
    if v_refusal is not null then raise exception 'refused' using errcode = 'PS001'; end if;
  exception when sqlstate 'PS001' then return v_refusal;
  end;
  return null;
end $$;

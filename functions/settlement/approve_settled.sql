-- Puts the settled amounts into an order and approves it. Capacity follows the difference while the order
-- holds; one that holds nothing takes all of it in approve_order. Locks: order row (caller's) → pools →
-- holdings. Returns null or the refusal: cap_reached, supply_reached, order_state.
create or replace function approve_settled(o orders, s settlement) returns text language plpgsql as $$
declare v_refusal text;
begin
  if o.held then
    if s.usd > o.usd or s.base_tokens > o.base_tokens or s.bonus_tokens > o.bonus_tokens then
      v_refusal := take_capacity(
        o.stage_id, greatest(0, s.usd - o.usd), greatest(0, s.base_tokens - o.base_tokens),
        greatest(0, s.bonus_tokens - o.bonus_tokens));
      if v_refusal is not null then return v_refusal; end if;
    end if;
    if s.usd < o.usd or s.base_tokens < o.base_tokens or s.bonus_tokens < o.bonus_tokens then
      perform lock_pools();
      perform release_capacity(
        o.stage_id, greatest(0, o.usd - s.usd), greatest(0, o.base_tokens - s.base_tokens),
        greatest(0, o.bonus_tokens - s.bonus_tokens));
    end if;
  end if;
  update orders
     set stage_id = s.stage_id, base_tokens = s.base_tokens, bonus_tokens = s.bonus_tokens,
         bonus_percent = s.bonus_percent, usd = s.usd, crypto_amount = s.crypto_amount, rate = s.rate,
         price_usd = s.price_usd
   where id = o.id
     and (stage_id, base_tokens, bonus_tokens, bonus_percent, usd, crypto_amount, rate, price_usd)
         is distinct from (s.stage_id, s.base_tokens, s.bonus_tokens, s.bonus_percent, s.usd,
                           round(s.crypto_amount, 6), s.rate, s.price_usd);
  select a.refusal into v_refusal from approve_order(o.id, 'chain', null, null, null) a;
  return v_refusal;
end $$;

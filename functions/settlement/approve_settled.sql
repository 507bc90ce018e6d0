-- Puts the settled amounts into an order and approves it. Capacity follows the difference while the order
-- holds; one that holds nothing takes all of it in approve_order. Locks: order row (caller's) → pools →
-- holdings. Returns a refusal or null.
create or replace function approve_settled(p_order orders, p_stage integer, p_base numeric, p_bonus numeric,
  p_usd numeric, p_crypto numeric,
                                p_rate numeric, p_price_usd numeric) returns text language plpgsql as $$
declare v_refusal text;
begin
  if p_order.held then
    if p_usd > p_order.usd or p_base > p_order.base_tokens or p_bonus > p_order.bonus_tokens then
      v_refusal := take_capacity(p_order.stage_id, greatest(0, p_usd - p_order.usd),
        greatest(0, p_base - p_order.base_tokens),
                                 greatest(0, p_bonus - p_order.bonus_tokens));
      if v_refusal is not null then return v_refusal; end if;
    end if;
    if p_usd < p_order.usd or p_base < p_order.base_tokens or p_bonus < p_order.bonus_tokens then
      perform lock_pools();
      perform release_capacity(p_order.stage_id, greatest(0, p_order.usd - p_usd),
        greatest(0, p_order.base_tokens - p_base),
                               greatest(0, p_order.bonus_tokens - p_bonus));
    end if;
  end if;
  update orders set stage_id = p_stage, base_tokens = p_base, bonus_tokens = p_bonus, usd = p_usd,
    crypto_amount = p_crypto,
         rate = p_rate, price_usd = p_price_usd
   where id = p_order.id
     and (stage_id, base_tokens, bonus_tokens, usd, crypto_amount, rate, price_usd)
         is distinct from (p_stage, p_base, p_bonus, p_usd, round(p_crypto, 6), p_rate, p_price_usd);
  select a.refusal into v_refusal from approve_order(p_order.id, 'chain', null, null, null) a;
  return v_refusal;
end $$;

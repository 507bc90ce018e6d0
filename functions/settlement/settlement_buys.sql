-- The order buys p_base_tokens for p_credited coins at p_rate, and the order's price, and
-- never more than the campaign's maximum or what was asked; then the credited coin has no more
-- decimals than can be paid back. Exactly what was ordered has exactly the amounts that were asked.
-- Rules: SETTLE-10
create or replace function settlement_buys(
  f settlement_facts, p_credited numeric, p_base_tokens numeric, p_rate numeric
) returns settlement language plpgsql immutable as $$
declare s settlement; v_most numeric := greatest(f.maximum_tokens, f.base_tokens); v_is_as_ordered boolean;
begin
  s.act := 'approve';
  s.rate := p_rate;
  s.base_tokens := least(p_base_tokens, v_most);
  s.credited := case when p_base_tokens > v_most
    then least(p_credited, trunc(v_most / s.rate, least(8, coalesce(f.coin_decimals, 8))))
    else p_credited end;
  v_is_as_ordered := s.base_tokens = f.base_tokens;
  s.bonus_percent := settled_percent(f, s.base_tokens);
  s.bonus_tokens := round(s.base_tokens * s.bonus_percent / 100, 6);
  s.usd := case when v_is_as_ordered then f.usd else round(s.base_tokens * f.price_usd, 2) end;
  s.crypto_amount := case when v_is_as_ordered and s.rate = f.rate then f.asked else round(s.credited, 6) end;
  return s;
end $$;

-- An order of which something was seen before it expired. That part has the locked rate. What is counted of
-- it buys at once if it is enough, and more buys more; less buys in proportion once the order has expired, if
-- it reaches the minimum, and is owed back otherwise.
-- Rules: SETTLE-7, SETTLE-8, SETTLE-9
create or replace function settlement_in_time(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare v_full numeric := f.asked - shortfall_allowed(f.asked, f.rate, f.price_usd, f.rules);
begin
  if f.in_time >= v_full then
    return settlement_buys(f, f.in_time, case when f.in_time > f.asked
      then greatest(f.base_tokens, round(f.in_time * f.rate, 6)) else f.base_tokens end, f.rate);
  end if;
  if f.expected_in_time > 0 and (f.now >= f.expires_at or f.in_time + f.expected_in_time >= v_full) then
    return settlement_waits(f, case when f.is_mined then 'confirming' else 'seen' end, f.waits_until, null);
  end if;
  if f.now < f.expires_at then
    return settlement_waits(f, 'underpaid', f.expires_at, null);
  end if;
  if round(f.in_time * f.rate, 6) >= f.minimum_tokens then
    return settlement_buys(f, f.in_time, round(f.in_time * f.rate, 6), f.rate);
  end if;
  return settlement_waits(f, 'refund_due', null, 'underpaid');
end $$;

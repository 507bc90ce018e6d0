-- A pending order of which something was seen before it expired. That part has the locked rate. Enough of it
-- (locked_share) lets the rest follow at that rate for a time; less is settled in proportion once the order
-- has expired, if it reaches the minimum, else it is owed back. More buys more.
-- Rules: SETTLE-7, SETTLE-8, SETTLE-9
create or replace function settlement_in_time(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare
  v_full numeric := f.asked - shortfall_allowed(f.asked, f.rate, f.price_usd, f.rules);
  v_keeps_rate boolean := f.in_time >= f.asked * (f.rules).locked_share;
  -- A rest completes the order but never buys more.
  v_rest numeric := case when v_keeps_rate then least(f.rest, greatest(0, f.asked - f.in_time)) else 0 end;
  v_paid numeric := f.in_time + v_rest;
  v_rest_until timestamptz := least(f.expires_at + (f.rules).top_up, f.stage_ends_at);
begin
  if v_paid >= v_full then
    -- What lies in a block already buys more soon, unless the largest order is paid for.
    if f.in_time_mined > 0 and v_paid * f.rate < greatest(f.maximum_tokens, f.base_tokens) then
      return settlement_waits(f, 'confirming', f.waits_until, null);
    end if;
    return settlement_buys(f, v_paid, case when v_paid > f.asked
      then greatest(f.base_tokens, round(v_paid * f.rate, 6)) else f.base_tokens end, f.rate);
  end if;
  if (f.expected_in_time > 0 and (f.now >= f.expires_at or v_paid + f.expected_in_time >= v_full))
     or (v_keeps_rate and f.expected_rest > 0) then
    return settlement_waits(f, case when f.is_mined then 'confirming' else 'seen' end, f.waits_until, null);
  end if;
  if f.now < f.expires_at or (v_keeps_rate and f.now < v_rest_until) then
    return settlement_waits(f, 'underpaid',
                            case when f.now < f.expires_at then f.expires_at else v_rest_until end, null);
  end if;
  if round(v_paid * f.rate, 6) >= f.minimum_tokens then
    return settlement_buys(f, v_paid, round(v_paid * f.rate, 6), f.rate);
  end if;
  return settlement_waits(f, 'refund_due', null, 'underpaid');
end $$;

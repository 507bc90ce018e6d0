-- A pending order whose first payment was seen before it expired: the locked rate is kept. A shortfall within
-- the tolerance is full. Less is settled in proportion once the order has expired, if it reaches the minimum;
-- else it may be topped up for a time, then it is owed back. More buys more.
create or replace function settlement_in_time(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare
  v_full numeric := f.asked - shortfall_allowed(f.asked, f.rate, f.price_usd, f.rules);
  v_paid numeric;
begin
  if f.confirmed >= v_full then
    -- A top-up after the expiry completes the order but never buys more.
    v_paid := greatest(f.in_time, least(f.confirmed, f.asked));
    return settlement_buys(f, v_paid, case when v_paid > f.asked
      then greatest(f.base_tokens, trunc(v_paid * f.rate, 6)) else f.base_tokens end, false);
  end if;
  if f.seen >= v_full or (f.now > f.expires_at and f.seen > f.confirmed) then
    return settlement_waits(f, case when f.is_mined then 'confirming' else 'seen' end, f.waits_until, null);
  end if;
  if f.now <= f.expires_at then
    return settlement_waits(f, 'underpaid', f.expires_at, null);
  end if;
  if trunc(f.confirmed * f.rate, 6) >= f.minimum_tokens then
    return settlement_buys(f, f.confirmed, trunc(f.confirmed * f.rate, 6), false);
  end if;
  if f.now <= f.expires_at + (f.rules).top_up then
    return settlement_waits(f, 'underpaid', f.expires_at + (f.rules).top_up, null);
  end if;
  return settlement_waits(f, 'refund_due', null, null);
end $$;

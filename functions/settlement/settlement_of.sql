-- Decides what an order should be, from the facts alone: from what was asked and what was paid, never
-- from what was decided before, so that deciding again changes nothing and a reorg is settled afresh. The
-- rules are shown before paying (docs/operating/chains.md, docs/decisions/0011-settlement-from-facts.md).
-- Rules: SETTLE-11
create or replace function settlement_of(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare s settlement; v_is_late boolean := f.in_time + f.expected_in_time = 0 or not f.has_buyer;
begin
  if f.status = 'approved' then
    s.act := case when f.lost > 0 then 'take_back'
                  when not v_is_late and (settlement_in_time(f)).base_tokens - f.bought
                       > f.rate * shortfall_allowed(f.asked, f.rate, f.price_usd, f.rules) then 'buy_more'
                  else 'keep' end;
    s.owed_because := case when s.act = 'keep' then 'paid_after_approval' end;
    return s;
  end if;
  if f.status = 'rejected' then
    s.act := 'refuse';
    s.owed_because := 'order_rejected';
    return s;
  end if;
  if f.confirmed + f.expected = 0 then
    return settlement_unpaid(f);
  end if;
  s := case when v_is_late then settlement_late(f) else settlement_in_time(f) end;
  if s.act <> 'approve' or cardinality(f.refusals) = 0 then
    return s;
  end if;
  -- There is no room for that: what was ordered is bought and the rest is owed, or there is no room at all.
  if cardinality(f.refusals) = 1 and s.base_tokens > f.base_tokens and not v_is_late then
    return settlement_buys(f, f.asked, f.base_tokens, f.rate);
  end if;
  return settlement_waits(f, 'refund_due', null, f.refusals[cardinality(f.refusals)]);
end $$;

-- Decides what an order should be, from the facts alone: from the quote and the payments, never from what was
-- decided before, so that deciding again changes nothing and a reorg is settled afresh. The rules are shown
-- before paying (docs/operating/chains.md, docs/decisions/0011-settlement-from-facts.md).
create or replace function settlement_of(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare s settlement;
begin
  if f.status = 'approved' and f.approved_via = 'operator' then
    s.act := 'follow';
    return s;
  end if;
  if f.status = 'approved' and f.lost > 0 then
    s.act := 'take_back';
    return s;
  end if;
  if f.status = 'approved' then
    s.act := 'keep';
    s.owed_because := 'paid_after_approval';
    return s;
  end if;
  if f.status = 'rejected' then
    s.act := 'refuse';
    s.owed_because := 'order_rejected';
    return s;
  end if;
  if f.payments = 0 or f.seen = 0 then
    return settlement_unpaid(f);
  end if;
  s := case when f.first_at <= f.expires_at then settlement_in_time(f) else settlement_late(f) end;
  if s.act <> 'approve' or cardinality(f.refusals) = 0 then
    return s;
  end if;
  -- There is no room for that: what was ordered is bought and the rest is owed, or there is no room at all.
  if cardinality(f.refusals) = 1 and s.base_tokens > f.base_tokens and f.first_at <= f.expires_at then
    return settlement_buys(f, f.asked, f.base_tokens, false);
  end if;
  return settlement_waits(f, 'refund_due', null, f.refusals[cardinality(f.refusals)]);
end $$;

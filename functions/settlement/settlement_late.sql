-- A pending order of which nothing was seen before it expired. While the order's stage and price were in
-- force and the sale was not paused, it buys at the rate of when it was seen. Otherwise, and below the
-- minimum, it is owed back. So is whatever comes for the order of a deleted account.
-- Rules: LATE-1, LATE-2, SETTLE-12
create or replace function settlement_late(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare
  v_tokens numeric := round(f.confirmed * f.late_rate, 6);
  -- More payments make it wait no longer than the first of them could.
  v_wait_until timestamptz := f.first_late_at + (f.rules).forget_after;
begin
  if f.expected > 0 and (f.confirmed = 0 or f.now < v_wait_until) then
    return settlement_waits(f, case when f.is_mined then 'confirming' else 'seen' end,
      case when f.confirmed = 0 then f.waits_until else least(f.waits_until, v_wait_until) end, null);
  end if;
  if f.has_buyer and v_tokens >= f.minimum_tokens then
    return settlement_buys(f, f.confirmed, v_tokens, f.late_rate);
  end if;
  return settlement_waits(f, 'refund_due', null,
                          case when f.has_buyer then 'late' else 'account_deleted' end);
end $$;

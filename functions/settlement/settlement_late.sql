-- A pending order of which nothing was seen before it expired. Late by a little, in the same stage and while
-- the sale was not paused, it settles at the rate of when it was seen; otherwise the buyer chooses tokens at
-- the rate of then, or the money, within a time. Less than the minimum is owed back.
-- Rules: LATE-1, LATE-2
create or replace function settlement_late(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare
  v_tokens numeric := round(f.confirmed * f.late_rate, 6);
  v_choose_until timestamptz := f.first_late_at + (f.rules).choose;
  -- More payments make it wait no longer than the first of them could.
  v_wait_until timestamptz := case when f.confirmed = 0 then f.waits_until
    else least(f.waits_until, f.first_late_at + (f.rules).confirm_within) end;
begin
  if f.expected > 0 and f.now < v_wait_until then
    return settlement_waits(f, case when f.is_mined then 'confirming' else 'seen' end, v_wait_until, null);
  end if;
  if f.late_choice = 'refund' then
    return settlement_waits(f, 'refund_due', null, 'buyer_chose_refund');
  end if;
  if f.late_rate is not null and f.late_stage_id is not null
     and (f.late_choice = 'tokens'
          or (f.late_at <= f.expires_at + (f.rules).late and f.late_stage_id = f.stage_id)) then
    if v_tokens < f.minimum_tokens then
      return settlement_waits(f, 'refund_due', null, 'late');
    end if;
    return settlement_buys(f, f.confirmed, v_tokens, true);
  end if;
  if f.now >= v_choose_until then
    return settlement_waits(f, 'refund_due', null, 'late');
  end if;
  return settlement_waits(f, 'late', v_choose_until, null);
end $$;

-- A pending order whose first payment was seen after it expired. Late by a little, in the same stage, it
-- settles at the rate of when it was seen; otherwise the buyer chooses tokens at the rate of then, or the
-- money, within a time. Less than the minimum is owed back.
create or replace function settlement_late(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare
  v_has_terms boolean := f.late_rate is not null and f.late_stage_id is not null;
  v_choose_until timestamptz := f.first_at + (f.rules).choose;
begin
  if f.seen > f.confirmed then
    return settlement_waits(f, case when f.is_mined then 'confirming' else 'seen' end, f.waits_until, null);
  end if;
  if f.late_choice = 'refund' then
    return settlement_waits(f, 'refund_due', null, null);
  end if;
  if v_has_terms and (f.late_choice = 'tokens'
                      or (f.first_at <= f.expires_at + (f.rules).late and f.first_at < f.stage_ends_at)) then
    if trunc(f.confirmed * f.late_rate, 6) < f.minimum_tokens then
      return settlement_waits(f, 'refund_due', null, null);
    end if;
    return settlement_buys(f, f.confirmed, trunc(f.confirmed * f.late_rate, 6), true);
  end if;
  if f.now > v_choose_until then
    return settlement_waits(f, 'refund_due', null, null);
  end if;
  return settlement_waits(f, 'late', v_choose_until, null);
end $$;

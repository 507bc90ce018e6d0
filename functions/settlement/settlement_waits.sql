-- The order stays pending in the state p_detail, until p_look_again_at where a window ends then. From its
-- expiry on, and before it where its quote let it hold nothing unpaid, it holds its place only while what is
-- seen in time covers it (covered_share). p_owed_because says why money is owed
-- back where p_detail is refund_due: what was paid in time, where the locked rate is the reason.
-- Rules: HOLD-4, HOLD-5, SETTLE-14
create or replace function settlement_waits(
  f settlement_facts, p_detail text, p_look_again_at timestamptz, p_owed_because text
) returns settlement language plpgsql immutable as $$
declare
  s settlement;
  v_is_covered boolean := f.in_time + f.expected_in_time >= f.asked * (f.rules).covered_share;
begin
  s.act := 'wait';
  s.detail := p_detail;
  s.event := p_detail;
  s.look_again_at := case when p_look_again_at > f.now then p_look_again_at end;
  s.is_released := p_detail = 'refund_due'
    or (f.now >= f.expires_at and f.declare_by is not null)
    or ((f.now >= f.expires_at or not f.holds_unpaid) and not v_is_covered);
  s.takes_place := v_is_covered and not s.is_released;
  if p_detail = 'refund_due' then
    s.owed_because := p_owed_because;
    s.owed_until := case when p_owed_because = 'underpaid' then f.expires_at else 'infinity' end;
  end if;
  return s;
end $$;

-- The order stays pending in the state p_detail, until p_look_again_at where a window ends then. It holds its
-- tokens while what was seen in time and is in blocks covers it (covered_share), or its payment to an escrow
-- is signed and may still be made: what no block holds takes them from nobody. p_owed_because says why money
-- is owed back where p_detail is refund_due: what was paid in time, where the locked rate is the reason.
-- Rules: HOLD-4, HOLD-5, SETTLE-14
create or replace function settlement_waits(
  f settlement_facts, p_detail text, p_look_again_at timestamptz, p_owed_because text
) returns settlement language plpgsql immutable as $$
declare
  s settlement;
  v_is_covered boolean := f.in_time + f.in_time_shown >= f.asked * (f.rules).covered_share;
begin
  s.act := 'wait';
  s.detail := p_detail;
  s.event := p_detail;
  s.look_again_at := case when p_look_again_at > f.now then p_look_again_at end;
  s.takes_place := f.is_signed or (v_is_covered and p_detail <> 'refund_due');
  s.is_released := not s.takes_place;
  if p_detail = 'refund_due' then
    s.owed_because := p_owed_because;
    s.owed_until := case when p_owed_because = 'underpaid' then f.expires_at else 'infinity' end;
  end if;
  return s;
end $$;

-- The order stays pending in the state p_detail, until p_look_again_at where a window ends then. It holds its
-- place after its expiry only while what is seen reaches the amount. p_owed_because says why money is owed
-- back where p_detail is refund_due: what was paid in time, where the locked rate is the reason.
create or replace function settlement_waits(
  f settlement_facts, p_detail text, p_look_again_at timestamptz, p_owed_because text
) returns settlement language plpgsql immutable as $$
declare
  s settlement;
  v_full numeric := f.asked - shortfall_allowed(f.asked, f.rate, f.price_usd, f.rules);
begin
  s.act := 'wait';
  s.detail := p_detail;
  s.event := p_detail;
  s.look_again_at := case when p_look_again_at > f.now then p_look_again_at end;
  s.is_released := p_detail in ('refund_due', 'late')
    or (f.now > f.expires_at and f.declare_by is not null)
    or (f.now > f.expires_at and f.in_time + f.expected_in_time + f.rest + f.expected_rest < v_full);
  if p_detail = 'refund_due' then
    s.owed_because := p_owed_because;
    s.owed_until := case when p_owed_because = 'underpaid' then f.expires_at else 'infinity' end;
  end if;
  return s;
end $$;

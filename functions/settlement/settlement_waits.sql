-- The order stays pending in the state p_detail, until p_look_again_at where a window ends then. What is owed
-- back says why: p_refusal where amounts had no room.
create or replace function settlement_waits(
  f settlement_facts, p_detail text, p_look_again_at timestamptz, p_refusal text
) returns settlement language plpgsql immutable as $$
declare s settlement; v_is_late boolean := f.first_at > f.expires_at;
begin
  s.act := 'wait';
  s.detail := p_detail;
  s.event := p_detail;
  s.look_again_at := p_look_again_at;
  s.is_released := v_is_late or p_detail in ('refund_due', 'late')
                   or (p_detail = 'underpaid' and f.now > f.expires_at);
  if p_detail = 'refund_due' then
    s.owed_because := case when p_refusal is not null then p_refusal
                           when f.late_choice = 'refund' then 'buyer_chose_refund'
                           when v_is_late then 'late' else 'underpaid' end;
  end if;
  return s;
end $$;

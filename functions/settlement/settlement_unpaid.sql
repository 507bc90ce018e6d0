-- A pending order without payments, or whose payments are owed back already: as if it had not been paid.
create or replace function settlement_unpaid(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare s settlement; v_is_open boolean := f.held and f.now < f.expires_at;
begin
  s.act := 'nothing';
  if f.payments = 0 and f.detail in (
    'awaiting_payment', 'seen', 'confirming', 'underpaid', 'late', 'under_review', 'refund_due'
  ) then
    s.act := 'wait';
    s.event := 'payment_gone';
    s.detail := case when f.detail = 'under_review' then 'under_review'
                     when v_is_open then 'awaiting_payment' else 'expired' end;
    s.is_released := not v_is_open;
    s.look_again_at := case when v_is_open then f.expires_at end;
  end if;
  return s;
end $$;

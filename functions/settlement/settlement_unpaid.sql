-- A pending order of which nothing stands that could buy: unpaid, or owed back already. What has refunds says
-- so; what is under review because its payment was lost stays it, until an operator decides.
create or replace function settlement_unpaid(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare s settlement; v_is_open boolean := f.now < f.expires_at and (f.held or not f.holds_unpaid);
begin
  s.act := 'wait';
  s.event := 'payment_gone';
  s.detail := case when f.refunds = 'open' then 'refund_due'
                   when f.refunds = 'paid' then 'refunded'
                   when f.detail = 'under_review' and f.declare_by is null then 'under_review'
                   when v_is_open then 'awaiting_payment' else 'expired' end;
  s.is_released := not v_is_open or not f.holds_unpaid;
  s.look_again_at := case when v_is_open then f.expires_at end;
  return s;
end $$;

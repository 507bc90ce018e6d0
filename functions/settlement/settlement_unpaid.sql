-- A pending order of which nothing stands that could buy: unpaid, or owed back already. What has refunds says
-- so; what is under review because its payment was lost stays it, until an operator decides.
create or replace function settlement_unpaid(f settlement_facts)
returns settlement language plpgsql immutable as $$
declare s settlement; v_is_open boolean := f.now < f.expires_at or f.is_signed;
begin
  s.act := 'wait';
  s.event := 'payment_gone';
  s.detail := case when f.refunds = 'open' then 'refund_due'
                   when f.refunds = 'paid' then 'refunded'
                   when f.detail = 'under_review' then 'under_review'
                   when v_is_open then 'awaiting_payment' else 'expired' end;
  -- The same signed payment may come again: its tokens stay taken until no block can hold it any more.
  s.takes_place := f.is_signed;
  s.is_released := not f.is_signed;
  s.look_again_at := case when f.now < f.expires_at then f.expires_at end;
  return s;
end $$;

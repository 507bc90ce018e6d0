-- What the detail of an order is by what is owed back for it. Of a pending one: open or paid, where it says
-- either. Of a decided one: open or paid, else how it was decided last. What is owed by word alone leaves a
-- rejected order as it is: it can still be approved. An approved one is not changed by what was paid back.
-- Rules: REFUND-13
create or replace function detail_by_refunds(o orders) returns text language plpgsql stable as $$
declare v_refunds text := refunds_of_order(o.id);
begin
  if o.status = 'approved' then
    return case when v_refunds = 'open' then 'overpaid' else detail_without_refunds(o) end;
  end if;
  if o.status = 'pending' and o.detail not in ('refund_due', 'refunded') then return o.detail; end if;
  if o.status = 'rejected' and v_refunds = 'open' and not exists (
    select from refunds r join payments p on p.id = r.payment_id
     where r.order_id = o.id and r.state <> 'written_off' and p.fault is null) then
    v_refunds := null;
  end if;
  return case v_refunds when 'open' then 'refund_due' when 'paid' then 'refunded'
         else case when o.status = 'pending' then o.detail else detail_without_refunds(o) end end;
end $$;

-- What the detail of an order is by what is owed back for it. Of a pending one: open or paid, where it says
-- either. Of a decided one: open or paid, else how it was decided last. An approved one is not changed by
-- what was paid back.
-- Rules: REFUND-13
create or replace function detail_by_refunds(o orders) returns text language plpgsql stable as $$
declare v_refunds text := refunds_of_order(o.id);
begin
  if o.status = 'approved' then
    return case when v_refunds = 'open' then 'overpaid' else detail_without_refunds(o) end;
  end if;
  if o.status = 'pending' and o.detail not in ('refund_due', 'refunded') then return o.detail; end if;
  return case v_refunds when 'open' then 'refund_due' when 'paid' then 'refunded'
         else case when o.status = 'pending' then o.detail else detail_without_refunds(o) end end;
end $$;

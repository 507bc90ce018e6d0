-- Brings the finer state of an order up to date and notes what made it so: p_event, or the state itself.
create or replace function refresh_order(
  o orders, p_event text, p_details jsonb, p_now timestamptz default clock_timestamp()
) returns void language plpgsql as $$
declare
  v_detail text := order_detail(o, p_now);
  v_details jsonb := case when o.status = 'rejected' then '{"by": "system"}' || p_details else p_details end;
begin
  perform set_order_detail(o.id, v_detail, coalesce(p_event, case
    when v_detail in ('awaiting_payment', 'expired') then 'payment_gone'
    when v_detail in ('seen', 'confirming', 'underpaid', 'overpaid', 'under_review', 'refund_due',
                      'refunded') then v_detail end), v_details);
end $$;

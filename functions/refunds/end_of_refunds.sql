-- Says of an order of which nothing is owed any more how it ended before: paid back if something was,
-- otherwise approved, cancelled, rejected or taken back. A pending one is settled by its payments.
create or replace function end_of_refunds(p_order_id bigint) returns void language plpgsql as $$
declare o orders%rowtype; v_is_paid boolean;
begin
  select * into o from orders where id = p_order_id;
  if o.status = 'pending' or o.detail not in ('refund_due', 'overpaid')
     or exists (select from refunds where order_id = o.id and state not in ('paid', 'written_off')) then
    return;
  end if;
  v_is_paid := exists (select from refunds where order_id = o.id and state = 'paid');
  perform set_order_detail(o.id, case
    when o.status = 'approved' and o.approved_via = 'operator' then 'approved_by_operator'
    when o.status = 'approved' then 'credited'
    when v_is_paid then 'refunded'
    else (select case e.kind when 'cancelled' then 'cancelled' when 'reversed' then 'reversed'
                 else 'rejected_by_operator' end
            from order_events e where e.order_id = o.id and e.kind in ('cancelled', 'rejected', 'reversed')
           order by e.id desc limit 1) end, 'payment_gone', '{}');
end $$;

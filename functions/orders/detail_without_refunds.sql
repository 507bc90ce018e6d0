-- The detail of a decided order of which nothing is owed back: how it was decided last.
create or replace function detail_without_refunds(o orders) returns text language sql stable as $$
  select case
    when o.detail not in ('refund_due', 'refunded', 'overpaid', 'under_review') then o.detail
    when o.approved_via = 'chain' then 'credited'
    when o.approved_via = 'operator' then 'approved_by_operator'
    else coalesce((select case e.kind when 'rejected' then 'rejected_by_operator' else e.kind end
                     from order_events e
                    where e.order_id = o.id and e.kind in ('rejected', 'reversed')
                    order by e.id desc limit 1), 'rejected_by_operator') end
$$;

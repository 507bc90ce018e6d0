-- Says of a decided order what is still owed or was paid back for it, once something is written off. A
-- pending one is settled by its payments.
-- Rules: REFUND-12
create or replace function end_of_refunds(p_order_id bigint) returns void language sql as $$
  select set_order_detail(o.id, detail_by_refunds(o), 'payment_gone', '{}')
    from orders o
   where o.id = p_order_id and o.status <> 'pending' and o.detail in ('refund_due', 'overpaid')
$$;

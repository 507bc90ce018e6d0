-- Credits the payments p_ids of an order with p_credited coins each, and its other payments with 0.
create or replace function credit_payments(p_order_id bigint, p_ids bigint[], p_credited numeric[])
returns void language sql as $$
  update payments p set credited = c.credited
    from (select q.id, coalesce(x.credited, 0) as credited
            from payments q left join unnest(p_ids, p_credited) x(id, credited) on x.id = q.id
           where q.order_id = p_order_id) c
   where p.id = c.id and p.credited <> c.credited
$$;

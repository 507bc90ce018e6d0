-- Whether what was paid for an order is owed back: open, paid, or null where nothing is. What came in another
-- coin is none of its money. What an escrow gave back is paid.
create or replace function refunds_of_order(p_order_id bigint) returns text language sql stable as $$
  select case when bool_or(r.state <> 'paid') then 'open'
              when count(*) > 0 or exists (select from payments
                                            where order_id = p_order_id and fault = 'returned')
              then 'paid' end
    from refunds r left join payments p on p.id = r.payment_id
   where r.order_id = p_order_id and r.state <> 'written_off' and p.fault is null
$$;

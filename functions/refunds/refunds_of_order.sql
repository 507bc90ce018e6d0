-- Returns open if money of an order is owed back, paid if it was, else null. Payments in another coin are
-- left out. A return by an escrow counts as paid.
create or replace function refunds_of_order(p_order_id bigint) returns text language sql stable as $$
  select case when bool_or(r.state <> 'paid') then 'open'
              when count(*) > 0 or exists (select from payments
                                            where order_id = p_order_id and fault = 'returned')
              then 'paid' end
    from refunds r left join payments p on p.id = r.payment_id
   where r.order_id = p_order_id and r.state <> 'written_off' and p.fault is null
$$;

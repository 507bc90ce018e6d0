-- Whether an escrow holds money of an order that it has not given back (is_in_escrow). Locks the order.
-- Rules: DELIVER-28
create or replace function lies_in_escrow(p_order_id bigint) returns boolean language sql as $$
  select 1 from orders where id = p_order_id for update;
  select is_in_escrow(p_order_id)
$$;

-- Unhides an order that may no longer be hidden, so that nobody overlooks a payment, an approval or a debt.
-- Rules: DELETE-1
create or replace function show_again(p_order_id bigint) returns void language sql as $$
  update orders o set hidden = false
   where o.id = p_order_id and o.hidden and not order_allows('hide', o.status, o.detail, false, o.watched)
$$;

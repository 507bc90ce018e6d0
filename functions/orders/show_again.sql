-- Puts an order that an operator hid back on the default lists where hiding it would be refused by now, so
-- that nothing paid, approved or owed is overlooked.
-- Rules: DELETE-2
create or replace function show_again(p_order_id bigint) returns void language sql as $$
  update orders o set hidden = false
   where o.id = p_order_id and o.hidden and not order_allows('hide', o.status, o.detail, false, o.watched)
$$;

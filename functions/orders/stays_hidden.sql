-- Whether an order that an operator hid stays off the default lists in a new state: it comes back by itself
-- where hiding would be refused, so that nothing paid, approved or owed is overlooked.
-- Rules: DELETE-2
create or replace function stays_hidden(p_hidden boolean, p_status text, p_detail text)
returns boolean language sql immutable as $$
  select p_hidden and order_allows('hide', p_status, p_detail, false, false)
$$;

-- The finer state of an order now. SQL reads it as if it were a column: o.detail.
create or replace function detail(o orders) returns text language sql stable as $$
  select order_detail(o, clock_timestamp())
$$;

-- The order's detailed state now. SQL reads it like a column: o.detail.
create or replace function detail(o orders) returns text language sql stable as $$
  select order_detail(o, clock_timestamp())
$$;

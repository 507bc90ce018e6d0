-- An order could not be settled: it keeps the reason, and its turn comes again after a minute, later and
-- later up to an hour.
create or replace function put_settlement_off(p_order_id bigint, p_error text) returns void language sql as $$
  update orders
     set settle_failures = settle_failures + 1, settle_error = left(p_error, 500),
         settle_at = clock_timestamp() + least(interval '1 minute' * power(2, least(settle_failures, 6)),
                                               interval '1 hour')
   where id = p_order_id
$$;

-- Settles an order and returns whether that succeeded. A failure is stored and retried after a minute, then
-- later up to an hour, so that it blocks no other order. Repeatable errors (a deadlock) end the transaction.
-- Rules: SETTLE-15
create or replace function settle_or_put_off(p_order_id bigint) returns boolean language plpgsql as $$
begin
  -- An order that is bought anew holds less for a moment. Checking here turns a failure at the commit into
  -- one of this order.
  set constraints holdings_cover_allocations deferred;
  perform settle_order(p_order_id);
  set constraints holdings_cover_allocations immediate;
  return true;
exception when others then
  if sqlstate like '40%' then raise; end if;
  update orders
     set settle_failures = settle_failures + 1, settle_error = left(sqlerrm, 500),
         settle_at = clock_timestamp() + least(interval '1 minute' * power(2, least(settle_failures, 6)),
                                               interval '1 hour')
   where id = p_order_id;
  return false;
end $$;

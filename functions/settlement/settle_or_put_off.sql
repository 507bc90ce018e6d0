-- Settles an order. Returns whether it did. One that fails keeps the reason, and its turn comes again after a
-- minute, later and later up to an hour: it stops no other order. What can be repeated as it was (a deadlock)
-- ends the transaction.
-- Rules: SETTLE-15
create or replace function settle_or_put_off(p_order_id bigint) returns boolean language plpgsql as $$
begin
  -- An order that is bought anew holds less for a moment. What would fail at the commit fails here.
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

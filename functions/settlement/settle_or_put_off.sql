-- Settles an order; with p_if_due only one whose time has come and that nobody else is at. Returns whether it
-- did. One that fails keeps the reason, and its turn comes again after a minute, later and later up to an
-- hour: it stops no other order. What can be repeated as it was (a deadlock) ends the transaction.
-- Rules: SETTLE-15
create or replace function settle_or_put_off(p_order_id bigint, p_if_due boolean default false)
returns boolean language plpgsql as $$
begin
  if p_if_due then
    perform 1 from orders where id = p_order_id and settle_at <= clock_timestamp() for update skip locked;
    if not found then return false; end if;
    -- What would fail at the commit fails here.
    set constraints all immediate;
  end if;
  perform settle_order(p_order_id);
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

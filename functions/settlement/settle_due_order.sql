-- Settles one order whose window has ended. Returns whether it was due, and nobody else was at it.
-- Rules: SETTLE-15
create or replace function settle_due_order(p_order_id bigint) returns boolean language plpgsql as $$
begin
  perform 1 from orders where id = p_order_id and settle_at <= clock_timestamp() for update skip locked;
  if not found then return false; end if;
  perform settle_order(p_order_id);
  return true;
end $$;

-- Settles the orders whose windows have ended, at most p_limit. Returns how many were due. Only processes of
-- the release before call it: today's settle each order in a transaction of its own (settle_due_order).
create or replace function settle_due_orders(p_limit integer) returns integer language plpgsql as $$
declare v_order record; v_count integer := 0;
begin
  for v_order in
    select id from orders where settle_at <= clock_timestamp()
     order by settle_at, id limit p_limit for update skip locked
  loop
    perform settle_or_put_off(v_order.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

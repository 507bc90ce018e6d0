-- Settles an order of a watcher's pass. One that fails is put off, so that it stops no other order's
-- payments; what can be repeated as it was (a deadlock) ends the transaction.
-- Rules: SETTLE-15
create or replace function settle_or_put_off(p_order_id bigint) returns void language plpgsql as $$
begin
  perform settle_order(p_order_id);
exception when others then
  if sqlstate like '40%' then raise; end if;
  perform put_settlement_off(p_order_id, sqlerrm);
end $$;

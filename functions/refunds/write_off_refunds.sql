-- Writes off refunds of payments that are gone (is_gone), unless a chain shows the transfer that sends them.
-- A submitted transaction that no chain shows has sent nothing yet.
-- Rules: REFUND-12
create or replace function write_off_refunds(p_order_id bigint) returns void language plpgsql as $$
declare r refunds%rowtype;
begin
  for r in
    select f.* from refunds f join payments p on p.id = f.payment_id
     where f.order_id = p_order_id and is_gone(p)
       and (f.state in ('owed', 'claimed', 'prepared')
            or (f.state = 'sent' and f.output_key is null and f.block_height is null))
     order by f.id for update of f
  loop
    update refunds set state = 'written_off' where id = r.id;
    update payments set owed = owed - r.amount where id = r.payment_id;
    perform post_refund(r, 'refund_written_off');
  end loop;
end $$;

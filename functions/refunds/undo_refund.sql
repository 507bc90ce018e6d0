-- Undoes the block of a refund: it is sent again, and owed if it was paid. The watcher searches again by a
-- submitted transaction (readNamed). The caller has locked the refund.
create or replace function undo_refund(r refunds) returns void language plpgsql as $$
begin
  update refunds
     set state = 'sent', block_height = null, confirmations = 0, paid_at = null, paid_via = null,
         output_key = nullif(output_key, 'named')
   where id = r.id;
  if r.state = 'paid' then
    perform post_refund(r, 'refund_unpaid');
    perform show_again(r.order_id);
  end if;
  perform tell('order_changed', r.order_id, r.user_id);
end $$;

-- Notes that an order's payment is sent: its buyer said so, or it was seen. Once: then operators, mails and
-- webhooks hear of the order.
-- Rules: ORDER-13
create or replace function note_order_sent(p_order_id bigint) returns void language plpgsql as $$
declare v_user bigint;
begin
  update orders set sent_at = clock_timestamp(), updated_at = clock_timestamp()
   where id = p_order_id and sent_at is null returning user_id into v_user;
  if found then
    perform tell('order_created', p_order_id, v_user);
  end if;
end $$;

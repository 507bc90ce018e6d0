-- Marks an order's payment as sent, because the buyer said so or a payment was seen. The first time,
-- operators, mails and webhooks learn of the order.
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

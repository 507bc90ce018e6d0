-- The state of what is owed by the word of an order's approval, null where nothing is; it stays so until the
-- transaction ends.
create or replace function lock_word(p_order_id bigint) returns text language sql as $$
  select state from refunds
   where order_id = p_order_id and payment_id is null and state <> 'written_off' for update
$$;

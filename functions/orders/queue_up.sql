-- Serialises a buyer's new orders until the transaction ends.
create or replace function queue_up(p_user_id bigint) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('orders of a buyer', p_user_id))
$$;

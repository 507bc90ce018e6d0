-- The row of delivery_addresses that counts for a buyer at a moment on the network with this chain id: the
-- newest whose time had come. Null where there is none. Whatever way an address was proved, it counts on no
-- other network than the one it was named for: no contract stands there, and an exchange would not see it.
-- Rules: DELIVER-5
create or replace function delivery_address_at(
  p_user_id bigint, p_chain_id bigint, p_at timestamptz
) returns bigint language sql stable as $$
  select id from delivery_addresses
   where user_id = p_user_id and chain_id = p_chain_id and withdrawn_at is null and counts_from <= p_at
   order by counts_from desc, id desc limit 1
$$;

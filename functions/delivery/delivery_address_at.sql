-- Returns the id of the buyer's newest delivery address in effect at p_at on this chain, or null. On
-- another chain a contract may not exist, and an exchange may not see a deposit.
-- Rules: DELIVER-5
create or replace function delivery_address_at(
  p_user_id bigint, p_chain_id bigint, p_at timestamptz
) returns bigint language sql stable as $$
  select id from delivery_addresses
   where user_id = p_user_id and chain_id = p_chain_id and withdrawn_at is null and counts_from <= p_at
   order by counts_from desc, id desc limit 1
$$;

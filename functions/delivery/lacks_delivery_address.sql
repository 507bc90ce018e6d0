-- Buyers who hold tokens that a round may list and none has yet, and have named no address that counts on the
-- network with this chain id.
create or replace function lacks_delivery_address(p_chain_id bigint) returns setof bigint
language sql stable as $$
  select b.user_id from (select distinct t.user_id from tokens_for_rounds('infinity') t) b
   where delivery_address_at(b.user_id, p_chain_id, clock_timestamp()) is null
$$;

-- Returns buyers who hold tokens that no round has listed yet, and have no effective address on this chain.
create or replace function lacks_delivery_address(p_chain_id bigint) returns setof bigint
language sql stable as $$
  select b.user_id from (select distinct t.user_id from tokens_for_rounds('infinity') t) b
   where delivery_address_at(b.user_id, p_chain_id, clock_timestamp()) is null
$$;

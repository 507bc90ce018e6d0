-- Buyers who hold tokens that no round has, have named no address that counts, and were not told of this
-- round; at most p_limit.
create or replace function lacks_delivery_address(p_round integer, p_limit integer) returns setof bigint
language sql stable as $$
  select h.user_id from holdings h join users u on u.id = h.user_id
   where u.deleted_at is null
     and h.purchased_tokens + h.bonus_tokens + h.granted_tokens
         > h.allocated_purchased + h.allocated_bonus + h.allocated_granted
     and delivery_address_at(h.user_id, clock_timestamp()) is null
     and not exists (select from delivery_round_notices n where n.round = p_round and n.user_id = h.user_id)
   order by h.user_id limit p_limit
$$;

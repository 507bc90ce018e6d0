-- Buyers who hold tokens that a round may list and none has yet, and have named no address that counts on the
-- network with this chain id.
create or replace function lacks_delivery_address(p_chain_id bigint) returns setof bigint
language sql stable as $$
  select h.user_id from holdings h join users u on u.id = h.user_id
    left join (select e.user_id, sum(e.purchased + e.bonus) as tokens
                 from orders_not_for_rounds() e group by e.user_id) s on s.user_id = h.user_id
   where u.deleted_at is null
     and h.purchased_tokens + h.bonus_tokens + h.granted_tokens
         > h.allocated_purchased + h.allocated_bonus + h.allocated_granted
           + coalesce(s.tokens, 0)
     and delivery_address_at(h.user_id, p_chain_id, clock_timestamp()) is null
$$;

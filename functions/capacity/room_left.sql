-- The most base tokens that an order can have of what it has taken and what is left, of dollars and of tokens
-- to sell. Only right after take_room refused: then everything that is left lies in the pools, and they are
-- locked.
-- Rules: SETTLE-11
create or replace function room_left(o orders) returns numeric language sql stable as $$
  select greatest(has.base, least(has.base + c.pool_sale_tokens,
                                  trunc((has.usd + least(s.pool_usd, c.pool_usd)) / o.price_usd, 6)))
    from stage_capacity s cross join campaign_capacity c
   cross join lateral (
     select o.room_usd + case when o.status = 'approved' then o.usd else 0 end as usd,
            o.room_base + case when o.status = 'approved' then o.base_tokens else 0 end as base) has
   where s.stage_id = o.stage_id
$$;

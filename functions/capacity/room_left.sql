-- Returns the most base tokens that the order can have: those it has taken plus the USD and tokens left. The
-- caller has locked the pools.
-- Rules: SETTLE-10
create or replace function room_left(o orders) returns numeric language sql stable as $$
  select greatest(has.base, least(has.base + c.pool_sale_tokens,
                                  trunc((has.usd + least(s.pool_usd, c.pool_usd)) / o.price_usd, 6)))
    from stage_capacity s cross join campaign_capacity c
   cross join lateral (
     select o.room_usd + case when o.status = 'approved' then o.usd else 0 end as usd,
            o.room_base + case when o.status = 'approved' then o.base_tokens else 0 end as base) has
   where s.stage_id = o.stage_id
$$;

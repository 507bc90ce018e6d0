-- Returns the bonus share's tokens that grants and rewards may take: the share minus the highest bonus on
-- everything that may be sold. Past orders with a smaller bonus count with the highest one too, because they
-- can be undone. The caller has locked the pools.
-- Rules: GRANT-3
create or replace function bonus_to_give() returns numeric language sql stable as $$
  select trunc(least(c.pool_bonus_tokens - b.best * c.pool_sale_tokens,
                     c.pool_bonus_tokens + t.bonus - b.best * (c.pool_sale_tokens + t.sale)), 6)
    from campaign_capacity c
   cross join (select coalesce(sum(sale_tokens), 0) as sale, coalesce(sum(bonus_tokens), 0) as bonus
                 from taken_capacity()) t
   cross join (select coalesce(max((level ->> 'bonusPercent')::numeric), 0) / 100 as best
                 from campaign, jsonb_array_elements(settings -> 'levels') as level) b
$$;

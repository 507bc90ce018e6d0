-- Returns the bonus share's tokens that grants and rewards may take: the share minus the highest bonus on
-- everything that may be sold. Past orders with a smaller bonus count with the highest one too, because
-- they can be undone. Calls the slots in if the pool has less than p_wanted. The caller has locked the
-- pools.
-- Rules: GRANT-3
create or replace function bonus_to_give(p_wanted numeric) returns numeric language plpgsql as $$
declare v_best numeric;
begin
  perform call_in_slots() from campaign_capacity where pool_bonus_tokens < p_wanted;
  select coalesce(max((level ->> 'bonusPercent')::numeric), 0) / 100 into v_best
    from campaign, jsonb_array_elements(settings -> 'levels') as level;
  return (
    with remaining as (
      select c.pool_sale_tokens + coalesce(sum(s.sale_tokens), 0) as sale,
             c.pool_bonus_tokens + coalesce(sum(s.bonus_tokens), 0) as bonus
        from campaign_capacity c left join capacity_slots s on true group by c.id
    ), taken as (
      select coalesce(sum(sale_tokens), 0) as sale, coalesce(sum(bonus_tokens), 0) as bonus
        from taken_capacity()
    )
    select trunc(least(r.bonus - v_best * r.sale, r.bonus + t.bonus - v_best * (r.sale + t.sale)), 6)
      from remaining r cross join taken t
  );
end $$;

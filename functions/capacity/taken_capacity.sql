-- Returns the USD and tokens that orders take of each stage: purchases, from the totals, and room not bought
-- yet, from the index orders_held. The cost does not grow with the number of orders.
create or replace function taken_capacity(
  out stage_id integer, out usd numeric, out sale_tokens numeric, out bonus_tokens numeric
) returns setof record language sql stable as $$
  with taken as (
    select o.stage_id, sum(o.room_usd) as usd, sum(o.room_base) as sale, sum(o.room_bonus) as bonus
      from orders o where o.held
     group by o.stage_id
    union all
    select t.stage_id, sum(t.raised_on_chain_usd + t.raised_by_operator_usd), sum(t.purchased_tokens),
           sum(t.bonus_tokens)
      from sale_totals t group by t.stage_id
  )
  select s.id, coalesce(sum(t.usd), 0), coalesce(sum(t.sale), 0), coalesce(sum(t.bonus), 0)
    from stages s left join taken t on t.stage_id = s.id group by s.id
$$;

-- The terms of the campaign as they are now, by which an order is judged whatever changes later: the largest
-- order, and the levels.
-- Rules: SETTLE-10, BONUS-3
create or replace function terms_of_now() returns integer language plpgsql as $$
declare v_id integer; v_maximum numeric; v_levels jsonb;
begin
  select c.order_maximum_tokens, jsonb_agg(jsonb_build_object(
           'threshold', level -> 'threshold', 'bonusPercent', level -> 'bonusPercent') order by place)
    into v_maximum, v_levels
    from campaign c, jsonb_array_elements(c.settings -> 'levels') with ordinality as levels(level, place)
   group by c.order_maximum_tokens;
  select id into v_id from order_terms where maximum_tokens = v_maximum and levels = v_levels;
  if not found then
    insert into order_terms (maximum_tokens, levels) values (v_maximum, v_levels)
    on conflict (maximum_tokens, levels) do update set levels = excluded.levels returning id into v_id;
  end if;
  return v_id;
end $$;

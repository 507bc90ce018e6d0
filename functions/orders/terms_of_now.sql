-- Returns the id of the campaign's current terms, which later changes don't affect: the largest order, the
-- levels, and the days to take an order back.
-- Rules: SETTLE-10, BONUS-2, BACK-1
create or replace function terms_of_now() returns integer language plpgsql as $$
declare v_id integer; v_maximum numeric; v_levels jsonb; v_days integer;
begin
  select c.order_maximum_tokens, coalesce((c.settings ->> 'moneyBackDays')::integer, 0),
         (select jsonb_agg(jsonb_build_object('threshold', level -> 'threshold',
                                              'bonusPercent', level -> 'bonusPercent') order by place)
            from jsonb_array_elements(c.settings -> 'levels') with ordinality as levels(level, place))
    into v_maximum, v_days, v_levels
    from campaign c;
  select id into v_id from order_terms
   where maximum_tokens = v_maximum and levels = v_levels and money_back_days = v_days;
  if not found then
    insert into order_terms (maximum_tokens, levels, money_back_days) values (v_maximum, v_levels, v_days)
    on conflict on constraint order_terms_once do update set levels = excluded.levels returning id into v_id;
  end if;
  return v_id;
end $$;

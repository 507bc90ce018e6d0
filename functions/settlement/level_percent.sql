-- The bonus percentage of the last level whose threshold p_tokens reach; null below all levels.
create or replace function level_percent(p_levels jsonb, p_tokens numeric)
returns numeric language sql immutable as $$
  select (level ->> 'bonusPercent')::numeric
    from jsonb_array_elements(p_levels) with ordinality as levels(level, place)
   where (level ->> 'threshold')::numeric <= p_tokens
   order by place desc limit 1
$$;

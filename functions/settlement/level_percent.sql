-- The bonus per cent of the level that p_tokens reach: the last of the levels whose threshold they reach,
-- null below all of them.
create or replace function level_percent(p_levels jsonb, p_tokens numeric)
returns numeric language sql immutable as $$
  select (level ->> 'bonusPercent')::numeric
    from jsonb_array_elements(p_levels) with ordinality as levels(level, place)
   where (level ->> 'threshold')::numeric <= p_tokens
   order by place desc limit 1
$$;

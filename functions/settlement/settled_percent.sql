-- The bonus per cent of an order that settles p_base_tokens: the better of the level held at the order and
-- the level that these tokens reach. What was ordered has what was promised; more never has less.
-- Rules: BONUS-3
create or replace function settled_percent(f settlement_facts, p_base_tokens numeric)
returns numeric language sql immutable as $$
  select case
    when p_base_tokens = f.base_tokens then f.bonus_percent
    else greatest(f.held_percent, level_percent(f.levels, p_base_tokens),
                  case when p_base_tokens > f.base_tokens then f.bonus_percent end) end
$$;

-- Returns the earliest time a round can be frozen: the announced time, but at least 72 hours after the last
-- buyer without an address was mailed. Null until all were.
-- Rules: DELIVER-8
create or replace function round_frozen_from(p_round delivery_rounds) returns timestamptz
language sql stable as $$
  select case when p_round.told_at is not null then
           greatest(p_round.freeze_from, p_round.told_at + make_interval(hours => notice_hours)) end
    from delivery_rules()
$$;

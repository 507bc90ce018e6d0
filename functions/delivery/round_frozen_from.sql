-- The earliest moment at which a round can be frozen: what was announced, and 72 hours after the last who
-- lacked an address then was told. Null while somebody is still to be told.
-- Rules: DELIVER-8
create or replace function round_frozen_from(p_round delivery_rounds) returns timestamptz
language sql stable as $$
  select case when p_round.told_at is not null then
           greatest(p_round.freeze_from, p_round.told_at + make_interval(hours => notice_hours)) end
    from delivery_rules()
$$;

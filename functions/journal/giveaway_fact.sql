-- The log entry of a giveaway's rules: their hash, and the time of the random value named there.
create or replace function giveaway_fact(g giveaways) returns jsonb language sql immutable as $$
  select jsonb_build_object('giveaway', g.id, 'sha256', g.sha256, 'drawAt', instant_of(g.draw_at))
$$;

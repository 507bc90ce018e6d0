-- The journal says of each giveaway the hash of its rules when they are published, and the root of its list when that is fixed: before the random value.

create function say_giveaway() returns trigger language plpgsql as $$
begin
  raise exception 'the program''s functions are not in force' using errcode = 'restrict_violation';
end $$;
create trigger giveaways_are_said after insert or update on giveaways
  for each row when (new.published_at is not null) execute function say_giveaway();
create trigger giveaway_lists_are_said after insert on giveaway_lists
  for each row execute function say_giveaway();

-- Those of before are said now, with the time of now: of a list whose value was known by then it proves nothing, and a verifier says so.
insert into journal_facts (kind, subject, said)
select 'giveaway.published', 'giveaways/' || id,
       jsonb_build_object('giveaway', id, 'sha256', sha256, 'drawAt', to_char(draw_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from giveaways where published_at is not null order by id;
insert into journal_facts (kind, subject, said)
select 'giveaway.fixed', 'giveaway_lists/' || giveaway_id,
       jsonb_build_object('giveaway', giveaway_id, 'entries', cardinality(commitments), 'root', root)
  from giveaway_lists order by giveaway_id;

-- Publishes a giveaway's rules on publication, and its list of entries when that is finalized.
-- Rules: GIVE-4
create or replace function say_giveaway() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'giveaways' then
    perform say_fact('giveaway.published', 'giveaways/' || new.id, giveaway_fact(new));
  else
    perform say_fact('giveaway.fixed', 'giveaway_lists/' || new.giveaway_id, giveaway_list_fact(new));
  end if;
  return null;
end $$;

-- The log entry of a giveaway's list: the number of entries and their root.
create or replace function giveaway_list_fact(l giveaway_lists) returns jsonb language sql immutable as $$
  select jsonb_build_object('giveaway', l.giveaway_id, 'entries', cardinality(l.commitments), 'root', l.root)
$$;

-- What the journal says of a giveaway's list: how many entries it has, and their root.
create or replace function giveaway_list_fact(l giveaway_lists) returns jsonb language sql immutable as $$
  select jsonb_build_object('giveaway', l.giveaway_id, 'entries', cardinality(l.commitments), 'root', l.root)
$$;

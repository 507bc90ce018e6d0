-- Returns whether the programme excluded countries at p_at, so that order pages asked for the buyer's
-- country. The first later change records the terms of that time.
-- Rules: REFER-6
create or replace function rewards_left_out_a_country(p_at timestamptz) returns boolean
language sql stable as $$
  select coalesce(jsonb_array_length(
           case when c.id is null then settings -> 'referral' else c.before end -> 'countriesExcluded'
         ) > 0, false)
    from campaign left join lateral (
      select id, before from campaign_changes
       where setting = 'referral' and changed_at > p_at order by id limit 1) c on true
$$;

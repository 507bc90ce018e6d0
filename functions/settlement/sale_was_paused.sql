-- Returns whether the sale was paused at p_at, by the public history of pauses or a pause that still lasts.
-- Rules: LATE-1
create or replace function sale_was_paused(p_at timestamptz) returns boolean language sql stable as $$
  select coalesce((select c.after is not null from campaign_changes c
                    where c.setting = 'paused' and c.changed_at <= p_at order by c.id desc limit 1), false)
      or exists (select 1 from campaign where paused_at <= p_at)
$$;

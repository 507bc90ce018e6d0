-- Publishes, for each completed day (UTC), how often operators did each audited action; reads are left out. A
-- day is complete an hour after its end, so that no transaction of it is still open.
create or replace function count_actions() returns void language plpgsql as $$
declare
  v_over date := (clock_timestamp() at time zone 'UTC' - interval '1 hour')::date;
  v_day date := (select (max(said ->> 'day'))::date from journal_facts
                  where kind = 'actions.counted' and subject like 'audit_log/%');
begin
  if v_day >= v_over - 1 then return; end if;
  perform say_fact('actions.counted', 'audit_log/' || to_char(c.day, 'YYYYMMDD'), c.said) from (
    select a.day, jsonb_build_object('day', to_char(a.day, 'YYYY-MM-DD'),
                                     'actions', jsonb_object_agg(a.action, a.times)) as said
      from (select (at at time zone 'UTC')::date as day, action, count(*) as times from audit_log
             where operator_id is not null and action not in ('user.read', 'list.read')
               and at < v_over::timestamp at time zone 'UTC'
               and (v_day is null or at >= (v_day + 1)::timestamp at time zone 'UTC')
             group by 1, 2) a
     group by a.day order by a.day) c;
end $$;

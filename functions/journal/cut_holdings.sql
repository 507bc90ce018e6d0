-- Publishes once a day (UTC) that the holdings are summed up over the log entries before this one. Skipped
-- while an earlier tree is not built.
create or replace function cut_holdings() returns void language plpgsql as $$
declare
  v_today date := (clock_timestamp() at time zone 'UTC')::date;
  v_id bigint;
  v_origin text;
begin
  insert into holding_trees (log, day)
  select l.id, v_today from journal_logs l
   where l.id = (select max(id) from journal_logs)
     and not exists (select from holding_trees t
                      where t.log = l.id and (t.made_at is null or t.day >= v_today))
  on conflict (log, day) do nothing
  returning id, (select origin from journal_logs l where l.id = log) into v_id, v_origin;
  if v_id is null then return; end if;
  perform say_fact('holdings.cut', 'holding_trees/' || v_id,
                   jsonb_build_object('origin', v_origin, 'day', to_char(v_today, 'YYYY-MM-DD')));
end $$;

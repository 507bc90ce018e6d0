-- Counts, by hour (UTC), the rows of a list of people that an operator or an API key (p_key; '': none) read.
-- Alerts the owners when the operator's count reaches p_alarm rows within 24 hours.
-- Rules: RIGHT-24
create or replace function note_people_read(
  p_operator_id bigint, p_key text, p_list text, p_rows integer, p_alarm integer
) returns void language plpgsql as $$
declare
  v_hour constant timestamptz := date_trunc('hour', clock_timestamp());
  v_total bigint;
begin
  insert into people_reads (operator_id, key, list, hour, rows)
  values (p_operator_id, p_key, p_list, v_hour, p_rows)
  on conflict (operator_id, key, list, hour) do update set rows = people_reads.rows + excluded.rows;
  select sum(rows) into v_total from people_reads
   where operator_id = p_operator_id and hour > v_hour - interval '24 hours';
  if v_total >= p_alarm and v_total - p_rows < p_alarm then
    perform tell('people_read', null, null,
                 jsonb_build_object('operator', p_operator_id::text, 'rows', v_total::text, 'list', p_list));
  end if;
end $$;

-- Logs the lists of people read in each completed hour, once: operator, list, rows. Records opened one by one
-- (list 'opened') have their own entries.
-- Rules: RIGHT-24
create or replace function log_people_reads() returns void language sql as $$
  with done as (
    update people_reads set logged_at = clock_timestamp()
     where logged_at is null and list <> 'opened' and hour < date_trunc('hour', clock_timestamp())
    returning *
  )
  select write_audits('list.read', 'list', array_agg(
    row(operator_id, list, jsonb_build_object('after', jsonb_strip_nulls(jsonb_build_object(
      'rows', rows, 'startsAt', hour, 'key', nullif(key, '')))), null)::audit_entry order by hour))
    from done having count(*) > 0
$$;

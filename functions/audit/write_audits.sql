-- Writes audit log entries. src/shared/audit-actions.ts lists p_action and p_subject_type. Of one kind,
-- user.read, a second entry within the hour is skipped.
-- Rules: RIGHT-23
create or replace function write_audits(p_action text, p_subject_type text, p_entries audit_entry[])
returns void language plpgsql as $$
begin
  insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
  select e.operator_id, p_action, p_subject_type, e.subject_id,
         nullif(e.change -> 'before', 'null'), nullif(e.change -> 'after', 'null'), e.request_id
    from unnest(p_entries) e
  on conflict (operator_id, coalesce(after ->> 'key', ''), subject_id,
               date_trunc('hour', at at time zone 'UTC')) where action = 'user.read' do nothing;
end $$;

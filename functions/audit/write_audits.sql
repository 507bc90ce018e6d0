-- Writes what operators changed or read into the audit log. p_action and p_subject_type are in
-- src/shared/audit-actions.ts. An access that is logged already for its hour is not written again; everything
-- else is, and is not looked for.
-- Rules: RIGHT-23
create or replace function write_audits(p_action text, p_subject_type text, p_entries audit_entry[])
returns void language plpgsql as $$
begin
  if p_action = 'user.read' then
    insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
    select e.operator_id, p_action, p_subject_type, e.subject_id,
           nullif(e.change -> 'before', 'null'), nullif(e.change -> 'after', 'null'), e.request_id
      from unnest(p_entries) e
    on conflict (operator_id, coalesce(after ->> 'key', ''), subject_id,
                 date_trunc('hour', at at time zone 'UTC')) where action = 'user.read' do nothing;
  else
    insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
    select e.operator_id, p_action, p_subject_type, e.subject_id,
           nullif(e.change -> 'before', 'null'), nullif(e.change -> 'after', 'null'), e.request_id
      from unnest(p_entries) e;
  end if;
end $$;

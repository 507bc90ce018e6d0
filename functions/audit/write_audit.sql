-- Writes what an operator changed or read into the audit log. p_action and p_subject_type are in
-- src/shared/audit-actions.ts; p_change is {"before": …, "after": …}, each null or left out where there is
-- none. p_operator_id is null for a command that is run on the machine itself. A reading that stands already
-- for its hour is not written again; everything else is.
create or replace function write_audit(
  p_operator_id bigint, p_action text, p_subject_type text, p_subject_id text, p_change jsonb,
  p_request_id text
) returns void language plpgsql as $$
begin
  insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
  values (p_operator_id, p_action, p_subject_type, p_subject_id,
          nullif(p_change -> 'before', 'null'), nullif(p_change -> 'after', 'null'), p_request_id)
  on conflict (operator_id, coalesce(after ->> 'key', ''), subject_id,
               date_trunc('hour', at at time zone 'UTC')) where action = 'user.read' do nothing;
end $$;

-- Writes what an operator changed into the audit log. p_action and p_subject_type are in
-- src/shared/audit-actions.ts; p_change is {"before": …, "after": …}, each null or left out where there is
-- none. p_operator_id is null for a command that is run on the machine itself.
create or replace function write_audit(
  p_operator_id bigint, p_action text, p_subject_type text, p_subject_id text, p_change jsonb,
  p_request_id text
) returns void language plpgsql as $$
begin
  insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
  values (p_operator_id, p_action, p_subject_type, p_subject_id,
          nullif(p_change -> 'before', 'null'), nullif(p_change -> 'after', 'null'), p_request_id);
end $$;

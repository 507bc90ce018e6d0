-- Writes one audit log entry; see write_audits.
create or replace function write_audit(
  p_operator_id bigint, p_action text, p_subject_type text, p_subject_id text, p_change jsonb,
  p_request_id text
) returns void language plpgsql as $$
begin
  perform write_audits(p_action, p_subject_type,
                       array[row(p_operator_id, p_subject_id, p_change, p_request_id)::audit_entry]);
end $$;

-- An audit log entry. change is {"before": …, "after": …}, each null or absent if there is none. operator_id
-- is null for a command run on the machine itself.
create type audit_entry as (operator_id bigint, subject_id text, change jsonb, request_id text);

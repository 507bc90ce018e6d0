-- Who changed or read what, for the audit log: change is {"before": …, "after": …}, each null or left out
-- where there is none. operator_id is null for a command that is run on the machine itself.
create type audit_entry as (operator_id bigint, subject_id text, change jsonb, request_id text);

-- What an operator or a key of one read about a buyer stands in the audit log once an hour.

create unique index audit_log_one_reading on audit_log (
  operator_id, coalesce(after ->> 'key', ''), subject_id, date_trunc('hour', at at time zone 'UTC')
) where action = 'user.read';
comment on table audit_log is 'Every change that an operator makes, and whose data they read: who, when, what, before and after, as references and never as personal data.';

-- How long is kept what is not kept for ever, and what was removed for it.

create table retention_runs (
  table_name text constraint retention_runs_pkey primary key,
  done_at timestamptz,
  removed bigint not null default 0
);
comment on table retention_runs is 'What was removed because it was older than its period, by table.';
comment on column retention_runs.done_at is 'When nothing was left there that is older than its period; null: not yet.';

alter table day_counts add column swept_accounts bigint not null default 0;
comment on column day_counts.swept_accounts is 'Registrations of the day whose accounts were deleted and are gone since.';

update campaign set settings = settings || '{"retention": {
  "unusedQuotes": 7, "declarations": 365, "deletedAccounts": 30, "endedSessions": 0, "loginNetworks": 180, "failedAttempts": 30,
  "oneTimeLinks": 7, "failedJobs": 30, "webhookDeliveries": 30, "decidedActs": 730, "unusedUploads": 1}}'
 where not settings ? 'retention';

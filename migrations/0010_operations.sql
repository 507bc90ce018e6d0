-- What operators do and see: the audit log, actions that wait, keys, webhooks, channels, retention, backups.

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  operator_id bigint references operators (id),
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  request_id text
);
create index audit_log_of_subject on audit_log (subject_type, subject_id, id desc);
create index audit_log_of_operator on audit_log (operator_id, id desc);
create index audit_log_by_action on audit_log (action text_pattern_ops, id desc);
-- The audit log has one entry an hour for each buyer whose data an operator or an API key read.
create unique index audit_log_one_reading on audit_log (
  operator_id, coalesce(after ->> 'key', ''), subject_id, date_trunc('hour', at at time zone 'UTC')
) where action = 'user.read';
comment on table audit_log is 'Every change that an operator makes, and whose data they read: who, when, what, before and after, as references and never as personal data.';
-- Rules: LEDGER-3
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();

create table people_reads (
  operator_id bigint not null constraint people_reads_operator_known references operators (id),
  key text not null,
  list text not null,
  hour timestamptz not null,
  rows integer not null,
  logged_at timestamptz,
  constraint people_reads_pkey primary key (operator_id, key, list, hour)
);
comment on table people_reads is 'How many rows of which list of people operators read in each hour. An hour that is over stands in the audit log.';

create table approval_requests (
  id bigint generated always as identity constraint approval_requests_pkey primary key,
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  payload jsonb not null,
  summary jsonb not null,
  state text not null default 'waiting' constraint approval_requests_state_known check (
    state in ('waiting', 'confirmed', 'refused', 'expired')
  ),
  requested_by bigint not null constraint approval_requests_requester_known references operators (id),
  requested_at timestamptz not null default now(),
  request_id text,
  -- Rules: TWO-21
  due_at timestamptz,
  -- Rules: TWO-20
  expires_at timestamptz not null default now() + interval '7 days',
  decided_by bigint constraint approval_requests_decider_known references operators (id),
  decided_at timestamptz,
  constraint approval_requests_two_people check (state <> 'confirmed' or decided_by <> requested_by),
  constraint approval_requests_decided_with_time check ((state = 'waiting') = (decided_at is null))
);
create index approval_requests_waiting on approval_requests (id desc) where state = 'waiting';
create index approval_requests_by_state on approval_requests (state, id desc);
comment on table approval_requests is 'Actions that wait for a second operator; confirming executes them (src/server/actions/approval-requests.ts).';
comment on column approval_requests.due_at is 'When one operator''s own texts with an address become public; null: never without a second operator.';
comment on column approval_requests.payload is 'What is given to the action, sealed with SECRET_KEY for this row''s id; by its mark a repeat is known.';

create table api_keys (
  id bigint generated always as identity constraint api_keys_pkey primary key,
  name text not null,
  token_hash bytea not null constraint api_keys_token_unique unique,
  hint text not null,
  scopes text[] not null,
  operator_id bigint not null constraint api_keys_operator_known references operators (id),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  told_at timestamptz,
  constraint api_keys_hash_length check (length(token_hash) = 32),
  constraint api_keys_have_scopes check (cardinality(scopes) > 0)
);
comment on table api_keys is 'A key acts for the operator who made it, within its scopes, until it is revoked or that operator is disabled.';
comment on column api_keys.told_at is 'When a mail told that the key ends soon; null again once it is renewed.';

create table webhooks (
  id bigint generated always as identity constraint webhooks_pkey primary key,
  url text not null,
  events text[] not null,
  description text not null default '',
  secret_encrypted bytea not null,
  previous_secret_encrypted bytea,
  previous_until timestamptz,
  disabled_at timestamptz,
  revision integer not null default 1,
  operator_id bigint constraint webhooks_operator_known references operators (id),
  created_at timestamptz not null default now(),
  constraint webhooks_https_only check (url ~ '^https://'),
  constraint webhooks_have_events check (cardinality(events) > 0)
);

create table webhook_deliveries (
  id bigint generated always as identity constraint webhook_deliveries_pkey primary key,
  webhook_id bigint not null constraint webhook_deliveries_webhook_known references webhooks (id) on delete cascade,
  message_id text not null,
  event text not null,
  payload jsonb not null,
  state text not null default 'pending' constraint webhook_deliveries_state_known check (
    state in ('pending', 'delivered', 'failed')
  ),
  tries integer not null default 0,
  attempts jsonb not null default '[]',
  next_attempt_at timestamptz default now(),
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  constraint webhook_deliveries_message_once unique (webhook_id, message_id)
);
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
comment on column webhook_deliveries.message_id is 'The same on every attempt and for every webhook told of one event: receivers drop repeats by it.';

create table operator_channels (
  id bigint generated always as identity constraint operator_channels_pkey primary key,
  operator_id bigint not null constraint operator_channels_operator_known references operators (id),
  kind text not null,
  label text not null,
  target_encrypted bytea not null,
  notices text[] not null constraint operator_channels_tell_something check (cardinality(notices) > 0),
  code_expires_at timestamptz,
  code_tries integer not null default 0,
  proven_at timestamptz,
  tries integer not null default 0,
  stopped_at timestamptz,
  last_sent_at timestamptz,
  last_error text constraint operator_channels_error_short check (length(last_error) <= 300),
  created_at timestamptz not null default now(),
  constraint operator_channels_kind_known
    check (kind in ('mail', 'telegram', 'webhook', 'push'))
);
create index operator_channels_by_operator on operator_channels (operator_id);
comment on table operator_channels is 'Where single operators are told of what happens, each proven by a code before anything else is sent.';
comment on column operator_channels.target_encrypted is 'Address or bot and chat, and the code that was sent; sealed.';
comment on column operator_channels.tries is 'Failed tries in a row.';

create table mail_deliveries (
  id bigint constraint mail_deliveries_pkey primary key,
  kind text not null,
  language text not null,
  text_version integer not null,
  addressee text not null,
  state text not null constraint mail_deliveries_state_known check (
    state in ('sent', 'kept', 'waiting', 'failing', 'given_up')
  ),
  tries integer not null default 1,
  error text constraint mail_deliveries_error_short check (length(error) <= 300),
  first_tried_at timestamptz not null default now(),
  last_tried_at timestamptz not null default now(),
  constraint mail_deliveries_error_where_unsent check ((state in ('failing', 'given_up')) = (error is not null)),
  constraint mail_deliveries_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$')
);
create index mail_deliveries_unsent on mail_deliveries (id desc) where state not in ('sent', 'kept');
comment on column mail_deliveries.id is 'Of the job that sends the mail.';
comment on column mail_deliveries.state is 'kept: a demo wrote it to a folder; waiting: no mail server is set, and it goes out once there is one.';
comment on column mail_deliveries.addressee is 'Masked: enough to tell whose it may be, not to write to.';

create table mail_server (
  id smallint default 1 constraint mail_server_pkey primary key constraint mail_server_one check (id = 1),
  host text not null,
  port integer not null,
  login text not null,
  from_address text not null,
  password_sealed bytea,
  revision integer not null default 1
);
comment on table mail_server is 'The mail server that a page named; the environment''s (SMTP_URL) stands above it.';
comment on column mail_server.password_sealed is 'Sealed with SECRET_KEY.';

create table parked_mails (
  id bigint constraint parked_mails_pkey primary key,
  task text not null,
  payload jsonb not null,
  parked_at timestamptz not null default now()
);
comment on table parked_mails is 'Jobs of mails that nothing tries again by itself, because no mail server is set or the mail was given up; under the number of mail_deliveries.';
comment on column parked_mails.payload is 'As the job had it; what a mail says is sealed with SECRET_KEY.';

create table analytics_keys (
  id bigint generated always as identity constraint analytics_keys_pkey primary key,
  api_key text not null,
  secondary_encrypted bytea,
  secondary_hint text,
  location text not null,
  provider text not null constraint analytics_keys_provider_known check (provider in ('plausible', 'ga4', 'meta', 'other')),
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  constraint analytics_keys_once_a_location unique (api_key, location),
  constraint analytics_keys_location_shape check (location ~ '^/' and length(location) <= 200),
  constraint analytics_keys_hint_with_secret check ((secondary_encrypted is null) = (secondary_hint is null))
);
comment on column analytics_keys.secondary_encrypted is 'Sealed with SECRET_KEY; only its last characters are ever shown.';

-- The last deletion of old rows, by table.
create table retention_runs (
  table_name text constraint retention_runs_pkey primary key,
  done_at timestamptz,
  removed bigint not null default 0
);
comment on table retention_runs is 'What was removed because it was older than its period, by table.';
comment on column retention_runs.done_at is 'When nothing was left there that is older than its period; null: not yet.';

-- Backups that were restored on trial: operators see the date of the last one.
create table backup_drills (
  worked_at timestamptz primary key default clock_timestamp(),
  taken_at timestamptz not null,
  rows bigint not null
);
comment on table backup_drills is 'Backups that were restored into a scratch database in which every rule of the ledger held.';
comment on column backup_drills.taken_at is 'The moment that the backup holds.';

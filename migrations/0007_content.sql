-- What operators publish, note and connect: files, announcements, documents, analytics keys, actions that wait for a
-- second operator, API keys, webhooks, and notes about buyers.

create table uploads (
  id bigint generated always as identity constraint uploads_pkey primary key,
  name text not null constraint uploads_name_unique unique,
  media_type text not null constraint uploads_media_type_known check (
    media_type in ('application/pdf', 'image/png', 'image/jpeg', 'image/webp')
  ),
  size_bytes integer not null,
  sha256 bytea not null,
  width integer,
  height integer,
  bytes bytea not null,
  operator_id bigint constraint uploads_operator_known references operators (id),
  created_at timestamptz not null default now(),
  constraint uploads_name_shape check (name ~ '^[A-Za-z0-9_-]{22,43}[.](pdf|png|jpg|webp)$'),
  constraint uploads_size_is_true check (size_bytes = length(bytes) and size_bytes between 1 and 20971520),
  constraint uploads_hash_length check (length(sha256) = 32),
  constraint uploads_images_have_a_size check ((media_type = 'application/pdf') = (num_nonnulls(width, height) = 0))
);
comment on table uploads is 'Files live in the database, so that any number of processes and one backup have them. Never changed, only deleted.';
-- Uncompressed: a slice of a large file is read without the rest of it.
alter table uploads alter column bytes set storage external;

create table announcements (
  id bigint generated always as identity constraint announcements_pkey primary key,
  title jsonb not null,
  body jsonb not null,
  image_id bigint constraint announcements_image_known references uploads (id),
  image_alt jsonb not null default '{"en": "", "ru": ""}',
  pinned boolean not null default false,
  published_at timestamptz,
  edited_at timestamptz,
  revision integer not null default 1,
  operator_id bigint constraint announcements_operator_known references operators (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index announcements_one_is_pinned on announcements (pinned) where pinned;
create index announcements_by_publication on announcements (published_at desc, id desc) where published_at is not null;
create index announcements_image on announcements (image_id) where image_id is not null;
comment on column announcements.published_at is 'Null: a draft. In the future: it appears then.';
comment on column announcements.edited_at is 'Last change of its text after it had been published; shown to readers.';

create table announcement_reactions (
  announcement_id bigint not null
    constraint announcement_reactions_announcement_known references announcements (id) on delete cascade,
  kind text not null constraint announcement_reactions_kind_known check (kind in ('heart', 'fire', 'laugh', 'wow')),
  user_id bigint not null constraint announcement_reactions_user_known references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint announcement_reactions_once primary key (announcement_id, kind, user_id)
);
create index announcement_reactions_of_user on announcement_reactions (user_id);

create table documents (
  id bigint generated always as identity constraint documents_pkey primary key,
  title jsonb not null,
  file_name text not null,
  upload_id bigint not null constraint documents_upload_known references uploads (id)
    constraint documents_upload_once unique,
  operator_id bigint constraint documents_operator_known references operators (id),
  published_at timestamptz not null default now()
);

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

create table pending_actions (
  id bigint generated always as identity constraint pending_actions_pkey primary key,
  kind text not null,
  subject_type text not null,
  subject_id text not null,
  payload jsonb not null,
  summary jsonb not null,
  state text not null default 'waiting' constraint pending_actions_state_known check (
    state in ('waiting', 'confirmed', 'refused', 'expired')
  ),
  requested_by bigint not null constraint pending_actions_requester_known references operators (id),
  requested_at timestamptz not null default now(),
  request_id text,
  expires_at timestamptz not null default now() + interval '7 days',
  decided_by bigint constraint pending_actions_decider_known references operators (id),
  decided_at timestamptz,
  constraint pending_actions_two_people check (state <> 'confirmed' or decided_by <> requested_by),
  constraint pending_actions_decided_with_time check ((state = 'waiting') = (decided_at is null))
);
create index pending_actions_waiting on pending_actions (id desc) where state = 'waiting';
create index pending_actions_by_state on pending_actions (state, id desc);
comment on table pending_actions is 'Acts that wait for a second operator; confirming performs them (src/server/acts/pending-acts.ts).';

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
  constraint api_keys_hash_length check (length(token_hash) = 32),
  constraint api_keys_have_scopes check (cardinality(scopes) > 0)
);
comment on table api_keys is 'A key acts for the operator who made it, within its scopes, until it is revoked or that operator is disabled.';

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

create table user_notes (
  id bigint generated always as identity constraint user_notes_pkey primary key,
  user_id bigint not null constraint user_notes_user_known references users (id),
  operator_id bigint not null constraint user_notes_operator_known references operators (id),
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint user_notes_length check (length(body) between 1 and 2000)
);
create index user_notes_of_user on user_notes (user_id, id desc);
comment on table user_notes is 'What operators write about a buyer: never changed, and gone once the account is anonymous.';
create function refuse_note_removal() returns trigger language plpgsql as $$
begin
  if exists (select 1 from users where id = old.user_id and deleted_at is null) then
    raise exception 'user_notes is append-only' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger user_notes_append_only before update on user_notes for each row execute function refuse_change();
create trigger user_notes_stay before delete on user_notes for each row execute function refuse_note_removal();
create trigger user_notes_no_truncate before truncate on user_notes for each statement execute function refuse_change();

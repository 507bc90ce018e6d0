-- Notices to the browsers of buyers and operators (Web Push), and the key by which a push service knows who sends.

create table push_keys (
  id integer generated always as identity constraint push_keys_pkey primary key,
  public_key text not null,
  key_encrypted bytea not null,
  made_at timestamptz not null default clock_timestamp()
);
comment on table push_keys is 'One row: the key is made by whoever needs it first. Every subscription is bound to it.';

create table push_devices (
  id bigint generated always as identity constraint push_devices_pkey primary key,
  user_id bigint not null constraint push_devices_user_known references users (id) on delete cascade,
  session_id uuid not null constraint push_devices_session_known references user_sessions (id) on delete cascade,
  mark bytea not null constraint push_devices_mark_unique unique,
  target_encrypted bytea not null,
  user_agent text not null,
  tells_orders boolean not null,
  news_since timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  last_sent_at timestamptz,
  constraint push_devices_tell_something check (tells_orders or news_since is not null)
);
create index push_devices_by_user on push_devices (user_id);
create index push_devices_by_session on push_devices (session_id);
comment on table push_devices is 'Browsers in which a buyer asked for notices, each for as long as it is signed in.';
comment on column push_devices.mark is 'SHA-256 of the address that the browser gave, by which it knows its own row.';
comment on column push_devices.target_encrypted is 'Address and keys that the browser gave; sealed.';
comment on column push_devices.news_since is 'Since when it is told of announcements; null where it is not.';

create table push_news (
  announcement_id bigint not null constraint push_news_announcement_known references announcements (id) on delete cascade,
  device_id bigint not null constraint push_news_device_known references push_devices (id) on delete cascade,
  added_at timestamptz not null default clock_timestamp(),
  constraint push_news_pkey primary key (announcement_id, device_id)
);
create index push_news_by_device on push_news (device_id);
create index push_news_by_age on push_news (added_at);
comment on table push_news is 'Which announcement was handed to which browser, so that none is told twice.';

alter table operator_channels drop constraint operator_channels_kind_known;
alter table operator_channels add constraint operator_channels_kind_known
  check (kind in ('mail', 'telegram', 'webhook', 'push'));

-- What visitors read: announcements, comments, followers, notices to browsers.

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
  updated_at timestamptz not null default now(),
  -- Rules: TEXT-4
  words tsvector generated always as (
    jsonb_to_tsvector('russian', translate(title::text,
      'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯёÁÉÍÓÚÜÑáéíóúüñ', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяеaeiouunaeiouun')::jsonb,
      '["string"]')
    || jsonb_to_tsvector('russian', translate(body::text,
      'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯёÁÉÍÓÚÜÑáéíóúüñ', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяеaeiouunaeiouun')::jsonb,
      '["string"]')
  ) stored
);
create index announcements_by_publication on announcements (published_at desc, id desc) where published_at is not null;
create index announcements_image on announcements (image_id) where image_id is not null;
create index announcements_by_words on announcements using gin (words);
-- Any number of announcements may be pinned in advance: pages pin the last of them that is published.
create index announcements_pinned on announcements (published_at desc, id desc) where pinned;
comment on column announcements.pinned is 'Asked for by an operator. Of those that are published the last one is pinned; one that is still to come replaces it by appearing.';
comment on column announcements.published_at is 'Null: a draft. In the future: it appears then.';
comment on column announcements.edited_at is 'Last change of its text after it had been published; shown to readers.';
comment on column announcements.words is 'Title and text in every language; looked for in src/server/content/announcements.ts.';
create trigger announcements_are_said after insert or update or delete on announcements
  for each row execute function say_row();

-- Earlier texts of a published announcement.
create table announcement_texts (
  announcement_id bigint not null references announcements (id) on delete cascade,
  revision integer not null,
  title jsonb not null,
  body jsonb not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (announcement_id, revision)
);
comment on table announcement_texts is 'Earlier texts of announcements that were changed after they had been published, for their readers.';

create table announcement_reactions (
  announcement_id bigint not null
    constraint announcement_reactions_announcement_known references announcements (id) on delete cascade,
  kind text not null constraint announcement_reactions_kind_known check (kind in ('heart', 'fire', 'laugh', 'wow')),
  user_id bigint not null constraint announcement_reactions_user_known references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint announcement_reactions_once primary key (announcement_id, kind, user_id)
);
create index announcement_reactions_of_user on announcement_reactions (user_id);

-- Page views of each announcement by day, and nothing about who asked.
-- Rules: TEXT-16
create table announcement_views (
  announcement_id bigint not null references announcements (id) on delete cascade,
  day date not null,
  views bigint not null,
  primary key (announcement_id, day),
  constraint announcement_views_positive check (views > 0)
);
comment on table announcement_views is 'By day (UTC); robots and reloads included, lists and feeds not.';

create table announcement_mails (
  announcement_id bigint not null references announcements (id) on delete cascade,
  follower_id bigint not null,
  added_at timestamptz not null default clock_timestamp(),
  begun_at timestamptz,
  primary key (announcement_id, follower_id)
);
create index announcement_mails_of_follower on announcement_mails (follower_id);
create index announcement_mails_by_age on announcement_mails (added_at);
comment on table announcement_mails is 'Which follower gets a mail of which announcement: at most one.';
comment on column announcement_mails.begun_at is 'Set before the mail goes out and taken back only where it surely did not.';

-- Comments of buyers below announcements, and reports about them. Off until an owner switches them on.
-- Rules: TEXT-5
create table comments (
  id bigint generated always as identity primary key,
  announcement_id bigint not null references announcements (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  body text not null,
  shows_name boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  hidden_at timestamptz,
  hidden_reason text,
  hidden_by bigint references operators (id),
  constraint comments_length check (length(body) between 1 and 1000),
  constraint comments_hidden_with_reason check (num_nonnulls(hidden_at, hidden_reason, hidden_by) in (0, 3)),
  constraint comments_reason check (hidden_reason in ('spam', 'fraud', 'insult', 'personal', 'off_topic', 'unlawful'))
);
create unique index comments_said_once on comments (announcement_id, user_id, md5(body));
create index comments_of_announcement on comments (announcement_id, id desc);
create index comments_of_user on comments (user_id);
create index comments_hidden on comments (id desc) where hidden_at is not null;
comment on column comments.shows_name is 'Whether its author agreed that the nickname stands beside it; the nickname itself is read from the account.';
comment on column comments.hidden_reason is 'Shown to everybody in the place of the text.';

create table comment_reports (
  comment_id bigint not null references comments (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  reason text not null,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  primary key (comment_id, user_id),
  constraint comment_reports_reason check (reason in ('spam', 'fraud', 'insult', 'personal', 'off_topic', 'unlawful'))
);
create index comment_reports_of_user on comment_reports (user_id);
create index comment_reports_open on comment_reports (comment_id) where settled_at is null;
comment on column comment_reports.settled_at is 'When an operator hid the comment or kept it.';

-- Mail addresses that follow the announcements, each confirmed by a link. Off until an owner switches it on.
-- Rules: TEXT-9
create table followers (
  id bigint generated always as identity primary key,
  email text not null,
  email_key text not null,
  language text not null,
  confirm_hash bytea not null,
  leave_key text not null,
  asked_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  constraint followers_email_once unique (email_key),
  constraint followers_confirm_once unique (confirm_hash),
  constraint followers_leave_once unique (leave_key),
  constraint followers_email_key check (email_key = lower(email)),
  constraint followers_confirm_length check (length(confirm_hash) = 32),
  constraint followers_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$')
);
create index followers_confirmed on followers (confirmed_at) where confirmed_at is not null;
comment on column followers.leave_key is 'Stands in each mail to the address; whoever has it can stop the mails and do nothing else.';
alter table announcement_mails add constraint announcement_mails_follower_id_fkey foreign key (follower_id) references followers (id) on delete cascade;

-- Announcements that a buyer bookmarked.
create table bookmarks (
  user_id bigint not null references users (id) on delete cascade,
  announcement_id bigint not null references announcements (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, announcement_id)
);
create index bookmarks_of_announcement on bookmarks (announcement_id);
comment on table bookmarks is 'Seen by their buyer alone; nobody counts them.';

-- Notices to the browsers of buyers and operators (Web Push), and the key by which a push service knows who sends.
-- Rules: TEXT-12
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
  confirmed_at timestamptz,
  constraint push_devices_tell_something check (tells_orders or news_since is not null)
);
create index push_devices_by_user on push_devices (user_id);
create index push_devices_by_session on push_devices (session_id);
comment on table push_devices is 'Browsers in which a buyer asked for notices, each for as long as it is signed in.';
comment on column push_devices.mark is 'SHA-256 of the address that the browser gave, by which it knows its own row.';
comment on column push_devices.target_encrypted is 'Address and keys that the browser gave; sealed.';
comment on column push_devices.confirmed_at is 'When the browser said that it got a first notice; until then it is sent nothing else.';
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

-- Who follows the announcements by mail: addresses that were confirmed by a link, each with a way out. Off until an owner switches it on.

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
  constraint followers_language check (language in ('en', 'ru')),
  constraint followers_confirm_length check (length(confirm_hash) = 32)
);
create index followers_confirmed on followers (confirmed_at) where confirmed_at is not null;
comment on column followers.leave_key is 'Stands in each mail to the address; whoever has it can stop the mails and do nothing else.';

create table announcement_mails (
  announcement_id bigint not null references announcements (id) on delete cascade,
  follower_id bigint not null references followers (id) on delete cascade,
  added_at timestamptz not null default clock_timestamp(),
  begun_at timestamptz,
  primary key (announcement_id, follower_id)
);
create index announcement_mails_of_follower on announcement_mails (follower_id);
create index announcement_mails_by_age on announcement_mails (added_at);
comment on table announcement_mails is 'Which follower gets a mail of which announcement: at most one.';
comment on column announcement_mails.begun_at is 'Set before the mail goes out and taken back only where it surely did not.';

update campaign set settings = settings || '{"followers": false}' where not settings ? 'followers';

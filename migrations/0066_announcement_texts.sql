-- What a published announcement said before it was changed.

create table announcement_texts (
  announcement_id bigint not null references announcements (id) on delete cascade,
  revision integer not null,
  title jsonb not null,
  body jsonb not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (announcement_id, revision)
);
comment on table announcement_texts is 'Earlier texts of announcements that were changed after they had been published, for their readers.';

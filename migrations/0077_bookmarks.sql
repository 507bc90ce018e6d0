-- Announcements that a buyer keeps to find them again.

create table bookmarks (
  user_id bigint not null references users (id) on delete cascade,
  announcement_id bigint not null references announcements (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, announcement_id)
);
create index bookmarks_of_announcement on bookmarks (announcement_id);
comment on table bookmarks is 'Seen by their buyer alone; nobody counts them.';

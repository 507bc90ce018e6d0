-- What buyers write below announcements, and what others report of it. Off until an owner switches it on.

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

update campaign set settings = settings || '{"comments": false}' where not settings ? 'comments';

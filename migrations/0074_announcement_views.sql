-- How often the page of each announcement was sent, by day: as `day_counts` counts all pages, and nothing about who asked.

create table announcement_views (
  announcement_id bigint not null references announcements (id) on delete cascade,
  day date not null,
  views bigint not null,
  primary key (announcement_id, day),
  constraint announcement_views_positive check (views > 0)
);
comment on table announcement_views is 'By day (UTC); robots and reloads included, lists and feeds not.';

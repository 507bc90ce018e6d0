-- What the operators' overview counts by itself.

create table day_counts (
  day date constraint day_counts_pkey primary key,
  page_views bigint not null default 0,
  swept_quotes bigint not null default 0
);
comment on table day_counts is 'By day (UTC): public pages as they were sent, and unused quotes that were removed since, so that they stay counted.';
comment on column day_counts.page_views is 'Of the public pages, robots and reloads included; of nobody is anything kept.';
create index quotes_by_creation on quotes using brin (created_at) with (pages_per_range = 32, autosummarize = on);

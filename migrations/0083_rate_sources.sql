-- Sources of rates that operators named on a page, and those of the program that they leave out. What the environment names stands before them.

create table rate_sources (
  id bigint generated always as identity primary key,
  kind text not null,
  host text not null,
  url_encrypted bytea not null,
  set_by bigint not null references operators (id),
  set_at timestamptz not null default clock_timestamp(),
  constraint rate_sources_one_a_host unique (host),
  constraint rate_sources_kind check (kind in ('coingecko', 'kraken', 'coinbase'))
);
comment on table rate_sources is 'A row is never changed: another address of a source is another row, so that its id says what was looked at.';
comment on column rate_sources.url_encrypted is 'The whole address, which may hold a key: sealed under SECRET_KEY. host alone is shown.';

create table rate_sources_left_out (
  name text primary key,
  set_by bigint not null references operators (id),
  set_at timestamptz not null default clock_timestamp(),
  constraint rate_sources_left_out_name check (name in ('coingecko', 'kraken', 'coinbase'))
);

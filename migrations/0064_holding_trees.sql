-- What buyers hold as a Merkle sum tree a day, whose root the journal says (docs/journal.md).
create table holding_trees (
  id bigint generated always as identity primary key,
  log integer not null references journal_logs (id),
  day date not null,
  cut_at timestamptz not null default clock_timestamp(),
  made_at timestamptz,
  depth integer,
  root bytea,
  sum numeric(30, 6),
  constraint holding_trees_day_once unique (log, day),
  constraint holding_trees_whole check (num_nulls(made_at, depth, root, sum) in (0, 4))
);
comment on table holding_trees is 'One a day and log: cut at an entry of the journal, made once that entry has its place.';

create table holding_leaves (
  tree bigint not null references holding_trees (id),
  index bigint not null,
  user_id bigint not null references users (id),
  salt bytea not null,
  holder bytea not null,
  purchased numeric(30, 6) not null,
  bonus numeric(30, 6) not null,
  granted numeric(30, 6) not null,
  primary key (tree, index),
  constraint holding_leaves_one_a_buyer unique (user_id, tree),
  constraint holding_leaves_not_negative check (purchased >= 0 and bonus >= 0 and granted >= 0)
);
comment on table holding_leaves is 'Of the newest trees alone: what each buyer held, at places that chance gave.';
comment on column holding_leaves.holder is 'SHA-256 of the salt and the address that the account had, so that no two buyers can be given one leaf.';

create table holding_tiles (
  tree bigint not null references holding_trees (id),
  level integer not null,
  number bigint not null,
  nodes bytea not null,
  primary key (tree, level, number)
);
comment on table holding_tiles is 'Nodes of the newest trees at every eighth level, 256 to a tile: each a hash and its sum, 48 bytes.';

-- Nodes that operators named on a page. What the environment names stands before them.

create table chain_nodes (
  id bigint generated always as identity primary key,
  network text not null references chains (name),
  place integer not null,
  kind text not null,
  host text not null,
  url_encrypted bytea not null,
  set_by bigint not null references operators (id),
  set_at timestamptz not null default clock_timestamp(),
  constraint chain_nodes_one_a_place unique (network, place),
  constraint chain_nodes_place check (place in (1, 2)),
  constraint chain_nodes_kind check (kind in ('core', 'esplora', 'evm'))
);
comment on column chain_nodes.url_encrypted is 'The whole address, which may hold a key: sealed under SECRET_KEY. host alone is shown.';

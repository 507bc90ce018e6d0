-- The addresses of each wallet as Merkle trees whose roots the journal says (docs/journal.md).
create table wallet_announcements (
  id bigint generated always as identity primary key,
  wallet_id integer not null references wallets (id),
  first_index integer not null,
  count integer not null,
  key_hash bytea not null,
  seed bytea not null,
  size integer not null default 0,
  root bytea,
  made_at timestamptz,
  constraint wallet_announcements_once unique (wallet_id, first_index),
  constraint wallet_announcements_range check (first_index >= 0 and count > 0 and size between 0 and count),
  constraint wallet_announcements_whole check (num_nulls(root, made_at) in (0, 2) and (root is null or size = count))
);
comment on table wallet_announcements is 'A range of a wallet''s addresses each: derived in slices, said in the journal once all are there.';
comment on column wallet_announcements.key_hash is 'SHA-256 of the account key, as it is kept: it tells keys apart and gives no address.';
comment on column wallet_announcements.seed is 'Makes the salts of the leaves: it follows from the account key.';
comment on column wallet_announcements.size is 'How many of its addresses are in the tree so far.';

create table wallet_tiles (
  announcement bigint not null references wallet_announcements (id),
  level integer not null,
  number bigint not null,
  hashes bytea not null,
  primary key (announcement, level, number)
);
comment on table wallet_tiles is 'Hashes of the trees at every eighth level, 256 to a tile, as tiles of the journal.';

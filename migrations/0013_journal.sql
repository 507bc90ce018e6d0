-- The transparency log: entries, checkpoints, witnesses, proofs of what buyers hold.

-- docs/journal.md: every public figure follows from this append-only log, whose checkpoints are signed.
create table journal_logs (
  id integer primary key,
  origin text not null,
  vkey text not null,
  key_encrypted bytea not null,
  size bigint not null default 0,
  opened_at timestamptz not null default clock_timestamp(),
  constraint journal_logs_origin unique (origin)
);
comment on table journal_logs is 'The newest one is written; an older one ended where a database was restored from before its end.';
comment on column journal_logs.key_encrypted is 'Ed25519 private key (PKCS #8), sealed.';

create table journal_sources (
  log integer not null references journal_logs (id),
  source text not null,
  opened_id bigint not null default 0,
  settled_id bigint not null default 0,
  seen_id bigint,
  seen_xid xid8,
  primary key (log, source)
);
comment on table journal_sources is 'How far each append-only table is in the log.';
comment on column journal_sources.opened_id is 'What rows up to this id made of the terms is in the log''s first entry.';
comment on column journal_sources.settled_id is 'No row up to this id is missing, and none can appear any more.';
comment on column journal_sources.seen_id is 'The newest id that was given out before seen_xid: once no older transaction runs, it is settled.';

create table journal_entries (
  log integer not null references journal_logs (id),
  place bigint not null,
  source text not null,
  row_id bigint not null,
  entry text not null,
  primary key (log, place),
  constraint journal_entries_once unique (log, source, row_id),
  -- During a rolling start a program of the previous release may not know a kind of posting; an entry without a kind would stay.
  constraint journal_entries_kind check (entry::jsonb ->> 'kind' is not null)
);
comment on column journal_entries.entry is 'Canonical JSON (RFC 8785).';
create trigger journal_entries_append_only before update or delete on journal_entries
  for each row execute function refuse_change();
create trigger journal_entries_no_truncate before truncate on journal_entries
  for each statement execute function refuse_change();

create table journal_tiles (
  log integer not null references journal_logs (id),
  level integer not null,
  number bigint not null,
  hashes bytea not null,
  primary key (log, level, number)
);
comment on table journal_tiles is 'Hashes of the tree, 256 to a tile; the last tile of a level grows.';

create table journal_checkpoints (
  log integer not null references journal_logs (id),
  size bigint not null,
  root bytea not null,
  note text not null,
  signed_at timestamptz not null default clock_timestamp(),
  primary key (log, size)
);
create trigger journal_checkpoints_append_only before update or delete on journal_checkpoints
  for each row execute function refuse_change();
create trigger journal_checkpoints_no_truncate before truncate on journal_checkpoints
  for each statement execute function refuse_change();

-- Facts that the log publishes beside postings and terms: each row is one public fact as it stands from then on. Triggers on the
-- tables write them, whatever program makes the change.
-- Rules: LOG-2
create table journal_facts (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  said jsonb not null,
  at timestamptz not null default clock_timestamp()
);
create index journal_facts_of_subject on journal_facts (subject, id desc);
comment on table journal_facts is 'An entry of the journal each (docs/journal.md): payments, currencies, wallets, what is published, live rounds, counts of acts.';
comment on column journal_facts.subject is 'The row that it is about, as payments/17; the newest fact of a subject is what stands.';
comment on column journal_facts.said is 'The entry''s fields.';
create trigger journal_facts_append_only before update or delete on journal_facts
  for each row execute function refuse_change();
create trigger journal_facts_no_truncate before truncate on journal_facts
  for each statement execute function refuse_change();

-- Witnesses: others sign what they saw of this log, and this installation signs what it saw of the logs of others.
create table journal_cosignatures (
  log integer not null,
  size bigint not null,
  witness text not null,
  line text not null,
  cosigned_at timestamptz not null,
  primary key (log, witness, size),
  constraint journal_cosignatures_checkpoint foreign key (log, size) references journal_checkpoints (log, size)
);
comment on table journal_cosignatures is 'What witnesses signed under checkpoints of the journal.';
comment on column journal_cosignatures.witness is 'Verifier key.';
comment on column journal_cosignatures.line is 'Signature line with its newline, verified before it was kept.';

create table witness_keys (
  id integer primary key,
  name text not null,
  key_encrypted bytea not null
);
comment on table witness_keys is 'The one key with which this installation cosigns the logs of others.';
comment on column witness_keys.key_encrypted is 'Ed25519 private key (PKCS #8), sealed.';

create table witnessed_logs (
  origin text primary key,
  note text
);
comment on table witnessed_logs is 'What was cosigned last of each log; its row is the lock of that.';
comment on column witnessed_logs.note is 'Signed checkpoint with the cosignature; null while the first one is looked at.';

-- Proof of liabilities: each day's Merkle sum tree of what buyers hold, whose root the log publishes.
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

-- Merkle trees of each wallet's addresses, whose roots the log publishes.
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

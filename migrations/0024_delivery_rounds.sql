-- What is delivered at one time: announced, then frozen into a published list.

create table delivery_rounds (
  number integer primary key,
  state text not null default 'announced',
  cut_at timestamptz not null,
  freeze_from timestamptz not null,
  starts_at timestamptz not null,
  start_bps integer not null,
  cliff_seconds integer not null,
  linear_seconds integer not null,
  leftover_to text not null,
  announced_at timestamptz not null default clock_timestamp(),
  announced_by bigint references operators (id),
  told_at timestamptz,
  constraint delivery_rounds_state check (state in ('announced', 'cancelled', 'frozen')),
  constraint delivery_rounds_schedule check (
    start_bps between 0 and 10000 and cliff_seconds >= 0 and linear_seconds >= 0
    and cliff_seconds::bigint + linear_seconds <= 5 * 365 * 86400),
  constraint delivery_rounds_leftover check (leftover_to ~ '^0x[0-9a-fA-F]{40}$')
);
create unique index delivery_rounds_one_announced on delivery_rounds (state) where state = 'announced';
comment on column delivery_rounds.cut_at is 'What was approved or granted until then is delivered in this round, if it still stands at the freeze.';
comment on column delivery_rounds.freeze_from is 'The earliest moment of the freeze, as it was announced.';
comment on column delivery_rounds.starts_at is 'From here the schedule counts, which is the distributor''s: a share at the start in 1/10,000, a cliff, then evenly.';
comment on column delivery_rounds.told_at is 'When nobody was left who holds tokens, lacks an address and had not been told; 72 hours later the round can be frozen.';

create table delivery_round_notices (
  round integer not null references delivery_rounds (number),
  user_id bigint not null references users (id),
  told_at timestamptz not null default clock_timestamp(),
  primary key (round, user_id)
);

create table delivery_round_rows (
  round integer not null references delivery_rounds (number),
  place integer not null,
  user_id bigint not null references users (id),
  address text not null,
  purchased_tokens numeric(30, 6) not null,
  bonus_tokens numeric(30, 6) not null,
  granted_tokens numeric(30, 6) not null,
  tokens numeric(30, 6) generated always as (purchased_tokens + bonus_tokens + granted_tokens) stored,
  primary key (round, place),
  constraint delivery_round_rows_once unique (round, user_id),
  constraint delivery_round_rows_something check (
    least(purchased_tokens, bonus_tokens, granted_tokens) >= 0 and purchased_tokens + bonus_tokens + granted_tokens > 0)
);
create index delivery_round_rows_of_address on delivery_round_rows (lower(address));
create index delivery_round_rows_of_user on delivery_round_rows (user_id);
create trigger delivery_round_rows_append_only before update or delete on delivery_round_rows
  for each row execute function refuse_change();
create trigger delivery_round_rows_no_truncate before truncate on delivery_round_rows
  for each statement execute function refuse_change();

create table delivery_round_files (
  round integer primary key references delivery_rounds (number),
  frozen_at timestamptz not null,
  row_count integer not null,
  tokens numeric(30, 6) not null,
  purchased numeric(30, 6) not null,
  bonus numeric(30, 6) not null,
  granted numeric(30, 6) not null,
  root text not null,
  sha256 text not null,
  content bytea not null,
  tree bytea not null,
  constraint delivery_round_files_ways check (tokens = purchased + bonus + granted),
  constraint delivery_round_files_root check (root ~ '^0x[0-9a-f]{64}$'),
  constraint delivery_round_files_sha256 check (sha256 = encode(sha256(content), 'hex')),
  constraint delivery_round_files_tree check (length(tree) = 32 * (2 * row_count - 1))
);
alter table delivery_round_files alter column tree set storage external, alter column content set storage external;
comment on table delivery_round_files is 'The published list of each round, kept for ever.';
comment on column delivery_round_files.content is 'Canonical JSON (RFC 8785) in UTF-8.';
comment on column delivery_round_files.tree is 'The nodes of the Merkle tree, 32 bytes each, the root first: the tree of OpenZeppelin''s StandardMerkleTree.';
create trigger delivery_round_files_append_only before update or delete on delivery_round_files
  for each row execute function refuse_change();
create trigger delivery_round_files_no_truncate before truncate on delivery_round_files
  for each statement execute function refuse_change();

alter table postings
  add column round integer references delivery_rounds (number),
  drop constraint postings_kind,
  add constraint postings_kind check (kind in (
    'order_approved', 'order_reversed', 'grant', 'grant_reversed', 'refund_owed',
    'refund_paid', 'refund_unpaid', 'refund_written_off', 'round_frozen')) not valid;
alter table postings validate constraint postings_kind;
create unique index postings_of_a_round on postings (round, kind) where round is not null;

alter table entries
  drop constraint entries_account,
  add constraint entries_account check (account in (
    'sale_supply', 'bonus_supply', 'buyer_purchased', 'buyer_bonus', 'buyer_granted',
    'buyer_deposits', 'raised_on_chain', 'raised_by_operator', 'refunds_owed', 'refunds_paid', 'received',
    'held_tokens', 'allocated_purchased', 'allocated_bonus', 'allocated_granted')) not valid;
alter table entries validate constraint entries_account;

alter table holdings
  add column allocated_purchased numeric(30, 6) not null default 0,
  add column allocated_bonus numeric(30, 6) not null default 0,
  add column allocated_granted numeric(30, 6) not null default 0,
  add constraint holdings_cover_allocations check (
    purchased_tokens >= allocated_purchased and bonus_tokens >= allocated_bonus and granted_tokens >= allocated_granted
    and least(allocated_purchased, allocated_bonus, allocated_granted) >= 0);
comment on column holdings.allocated_purchased is 'Of the purchased tokens, those in the list of a frozen round; the others are held.';

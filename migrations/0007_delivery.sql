-- How the tokens reach their buyers: addresses, rounds, their files and contracts.

-- The address to which a buyer's tokens go.
create table delivery_addresses (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  address text not null,
  proof text not null,
  message text,
  signature text,
  lacks_code boolean not null default false,
  named_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  counts_from timestamptz,
  withdrawn_at timestamptz,
  -- An address counts on the network for which it was named alone.
  network text,
  chain_id bigint,
  constraint delivery_addresses_shape check (address ~ '^0x[0-9a-fA-F]{40}$'),
  constraint delivery_addresses_proof check (proof in ('signature', 'contract', 'typed')),
  constraint delivery_addresses_signed check ((proof = 'typed') = (num_nonnulls(message, signature) = 0)),
  constraint delivery_addresses_confirmed check ((confirmed_at is null) = (counts_from is null) and counts_from >= confirmed_at)
);
create unique index delivery_addresses_one_unconfirmed on delivery_addresses (user_id)
  where confirmed_at is null and withdrawn_at is null;
create index delivery_addresses_of_user on delivery_addresses (user_id, counts_from desc, id desc) where withdrawn_at is null;
comment on table delivery_addresses is 'Every EVM address that a buyer named for the tokens; the one that counts is the newest whose time has come.';
comment on column delivery_addresses.address is 'In EIP-55 form.';
comment on column delivery_addresses.proof is 'Signed by the address itself, by a contract that stands there (EIP-1271), or typed and confirmed by mail.';
comment on column delivery_addresses.message is 'The EIP-4361 text that was signed.';
comment on column delivery_addresses.lacks_code is 'A contract has this address on another network and not on that of the delivery.';
comment on column delivery_addresses.counts_from is 'A day after the confirmation.';
comment on column delivery_addresses.withdrawn_at is 'Taken back or replaced before its time came.';
comment on column delivery_addresses.network is 'What the delivery plan named when the address was named.';
comment on column delivery_addresses.chain_id is 'EIP-155 id of that network; an address without one counts on no network.';

create table delivery_challenges (
  nonce text primary key,
  user_id bigint not null references users (id) on delete cascade,
  address text not null,
  message text not null,
  expires_at timestamptz not null
);
create index delivery_challenges_of_user on delivery_challenges (user_id);
create index delivery_challenges_by_expiry on delivery_challenges (expires_at);
comment on table delivery_challenges is 'Texts to be signed; each is deleted by the answer that uses it.';

-- A round delivers what is allocated at one time: it is announced, then frozen into a published list.
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
  network text,
  chain_id bigint,
  token text,
  constraint delivery_rounds_schedule check (
    start_bps between 0 and 10000 and cliff_seconds >= 0 and linear_seconds >= 0
    and cliff_seconds::bigint + linear_seconds <= 5 * 365 * 86400),
  constraint delivery_rounds_leftover check (leftover_to ~ '^0x[0-9a-fA-F]{40}$'),
  constraint delivery_rounds_state check (state in ('announced', 'cancelled', 'frozen', 'live'))
);
create unique index delivery_rounds_one_announced on delivery_rounds (state) where state = 'announced';
comment on column delivery_rounds.cut_at is 'What was approved or granted until then is delivered in this round, if it still stands at the freeze.';
comment on column delivery_rounds.freeze_from is 'The earliest moment of the freeze, as it was announced.';
comment on column delivery_rounds.starts_at is 'From here the schedule counts, which is the distributor''s: a share at the start in 1/10,000, a cliff, then evenly.';
comment on column delivery_rounds.told_at is 'When nobody was left who holds tokens, lacks an address and had not been told; 72 hours later the round can be frozen.';
comment on column delivery_rounds.chain_id is 'EIP-155 id of the network for which the round was announced.';
comment on column delivery_rounds.token is 'Contract of the delivered token, as the list names it; null before the freeze.';

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

create table delivery_distributors (
  round integer primary key references delivery_rounds (number),
  address text not null,
  chain_id bigint not null,
  code_hash text not null,
  height bigint not null,
  block_hash text not null,
  mined_at timestamptz not null,
  balance numeric(78, 0) not null,
  claimed numeric(78, 0) not null,
  second_node boolean not null,
  live_at timestamptz not null default clock_timestamp(),
  live_by bigint references operators (id),
  constraint delivery_distributors_once unique (chain_id, address),
  constraint delivery_distributors_address check (address ~ '^0x[0-9a-fA-F]{40}$'),
  constraint delivery_distributors_hashes check (code_hash ~ '^0x[0-9a-f]{64}$' and block_hash ~ '^0x[0-9a-f]{64}$')
);
comment on table delivery_distributors is 'What the server saw when a round became live: where, and in which block.';
comment on column delivery_distributors.code_hash is 'keccak256 of the code there: the published bytecode with all that the list fixes in it.';
comment on column delivery_distributors.balance is 'What the contract held then, in the token''s smallest units; with claimed, which accounts had by then, at least the list''s total.';
comment on column delivery_distributors.second_node is 'Whether a second node said the same.';
create trigger delivery_distributors_append_only before update or delete on delivery_distributors
  for each row execute function refuse_change();
create trigger delivery_distributors_no_truncate before truncate on delivery_distributors
  for each statement execute function refuse_change();
create trigger delivery_distributors_are_said after insert on delivery_distributors
  for each row execute function say_row();

-- The last poll of each live round's distributor.
create table delivery_looks (
  round integer primary key references delivery_distributors (round),
  height bigint not null,
  block_hash text not null,
  mined_at timestamptz not null,
  balance numeric(78, 0) not null,
  claimed numeric(78, 0) not null,
  fault text,
  looked_at timestamptz not null,
  failure text,
  failing_since timestamptz,
  constraint delivery_looks_failing check ((failure is null) = (failing_since is null))
);
comment on table delivery_looks is 'The newest final block in which the server read a live round''s distributor, and what it held and had paid out there.';
comment on column delivery_looks.fault is 'Why that is not what the list needs; null where it is.';
comment on column delivery_looks.failure is 'Why no look has succeeded since then.';

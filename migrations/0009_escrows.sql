-- Payments that a contract holds until the sale has succeeded.

-- An escrow holds the money of a stage's orders until all tokens that they bought lie in it, and pays it back otherwise.
create table escrows (
  id integer generated always as identity primary key,
  stage_id integer not null references stages (id),
  chain text not null references chains (name),
  chain_id bigint not null,
  address text not null,
  token text not null,
  seller text not null,
  treasury text not null,
  cap_tokens numeric(30, 6) not null,
  closes_at timestamptz not null,
  deliver_by timestamptz not null,
  review_seconds integer not null,
  locks_first boolean not null,
  start_bps integer not null,
  cliff_seconds integer not null,
  linear_seconds integer not null,
  assets text[] not null,
  quote_key text not null,
  code_hash text not null,
  height bigint not null,
  block_hash text not null,
  mined_at timestamptz not null,
  second_node boolean not null,
  in_force_at timestamptz not null default clock_timestamp(),
  in_force_by bigint references operators (id),
  constraint escrows_once unique (chain_id, address),
  constraint escrows_one_a_stage_and_chain unique (stage_id, chain),
  constraint escrows_addresses check (
    address ~ '^0x[0-9a-fA-F]{40}$' and token ~ '^0x[0-9a-fA-F]{40}$' and seller ~ '^0x[0-9a-fA-F]{40}$'
    and treasury ~ '^0x[0-9a-fA-F]{40}$' and quote_key ~ '^0x[0-9a-fA-F]{40}$'),
  constraint escrows_hashes check (code_hash ~ '^0x[0-9a-f]{64}$' and block_hash ~ '^0x[0-9a-f]{64}$'),
  constraint escrows_times check (
    closes_at < deliver_by and deliver_by <= closes_at + interval '180 days' and review_seconds between 0 and 7 * 86400),
  constraint escrows_schedule check (
    start_bps between 0 and 10000 and cliff_seconds >= 0 and linear_seconds >= 0
    and cliff_seconds::bigint + linear_seconds <= 5 * 365 * 86400),
  constraint escrows_cap check (cap_tokens > 0),
  constraint escrows_assets check (cardinality(assets) between 1 and 16)
);
comment on table escrows is 'One row an escrow that was put in force: its terms, and the final block in which the server saw them. Nothing in it can change.';
comment on column escrows.assets is 'What it accepts, in the contract''s order: token contracts, and the zero address for the chain''s own coin.';
comment on column escrows.quote_key is 'The account whose quotes the contract took when it was put in force.';
create trigger escrows_append_only before update or delete on escrows for each row execute function refuse_change();
create trigger escrows_no_truncate before truncate on escrows for each statement execute function refuse_change();
alter table wallet_addresses add constraint wallet_addresses_escrow_id_fkey foreign key (escrow_id) references escrows (id);
alter table orders add constraint orders_escrow_id_fkey foreign key (escrow_id) references escrows (id);

-- The last poll of each escrow.
create table escrow_looks (
  escrow_id integer primary key references escrows (id),
  height bigint not null,
  block_hash text not null,
  mined_at timestamptz not null,
  state text,
  locked boolean not null,
  owed numeric(78, 0) not null,
  claimed numeric(78, 0) not null,
  balance numeric(78, 0) not null,
  promised numeric(78, 0) not null default 0,
  fault text,
  looked_at timestamptz not null default clock_timestamp(),
  closes_at timestamptz,
  delivered_at timestamptz,
  raised jsonb not null default '[]',
  -- A poll that fails keeps what the last one showed.
  failure text,
  failing_since timestamptz,
  constraint escrow_looks_state check (state in ('open', 'closed', 'delivered', 'refunding')),
  constraint escrow_looks_of_the_escrow check ((state is null) = coalesce(fault = 'other_code', false)),
  constraint escrow_looks_fault check (fault in ('other_code', 'owes_strangers', 'owes_less', 'short')),
  constraint escrow_looks_delivered check ((delivered_at is not null) <= (state is not distinct from 'delivered')),
  constraint escrow_looks_failing check ((failure is null) = (failing_since is null))
);
comment on table escrow_looks is 'The newest final block in which the server read an escrow. All amounts are in the token''s smallest units.';
comment on column escrow_looks.state is 'Null where something else stands there: then nothing was asked of it.';
comment on column escrow_looks.promised is 'What the orders whose payments lie there by that block have of it, as the ledger says.';
comment on column escrow_looks.fault is 'Its code is another than was put in force; it owes orders that are none of ours; less than ours; or it lacks tokens that it says are there.';
comment on column escrow_looks.closes_at is 'When payments end or ended: the seller may close earlier than the terms say.';
comment on column escrow_looks.raised is 'Money of live orders that lies there, by asset in the order of `escrows.assets`, in smallest units as text.';
comment on column escrow_looks.failure is 'Why the newest look failed; the rest is what the last one showed that did not.';

-- Keys that sign quotes of escrows.
create table quote_keys (
  id integer generated always as identity primary key,
  address text not null,
  key_encrypted bytea not null,
  made_at timestamptz not null default clock_timestamp(),
  made_by bigint references operators (id),
  constraint quote_keys_once unique (address),
  constraint quote_keys_address check (address ~ '^0x[0-9a-fA-F]{40}$')
);
comment on table quote_keys is 'Keys that sign quotes of escrows. The newest alone signs; the older ones are kept for what they signed.';
create trigger quote_keys_no_delete before delete on quote_keys for each row execute function refuse_change();
create trigger quote_keys_no_truncate before truncate on quote_keys for each statement execute function refuse_change();

create table escrow_plans (
  number integer primary key,
  state text not null default 'announced',
  stage_id integer not null references stages (id),
  chain text not null references chains (name),
  chain_id bigint not null,
  token text not null,
  seller text not null,
  treasury text not null,
  quote_key text not null,
  cap_tokens numeric(30, 6) not null,
  closes_at timestamptz not null,
  deliver_by timestamptz not null,
  review_seconds integer not null,
  locks_first boolean not null,
  start_bps integer not null,
  cliff_seconds integer not null,
  linear_seconds integer not null,
  assets text[] not null,
  escrow_id integer references escrows (id),
  announced_at timestamptz not null default clock_timestamp(),
  announced_by bigint references operators (id),
  constraint escrow_plans_state check (state in ('announced', 'withdrawn', 'in_force')),
  constraint escrow_plans_in_force check ((state = 'in_force') = (escrow_id is not null)),
  constraint escrow_plans_cap check (cap_tokens > 0 and cap_tokens <= 1000000000000)
);
create unique index escrow_plans_one_a_stage on escrow_plans (stage_id, chain) where state <> 'withdrawn';
comment on table escrow_plans is 'The terms that an escrow is made with; its address follows from them and from the number.';
create trigger escrow_plans_no_delete before delete on escrow_plans for each row execute function refuse_change();
create trigger escrow_plans_no_truncate before truncate on escrow_plans for each statement execute function refuse_change();

create table escrow_signatures (
  order_id bigint not null references orders (id),
  escrow_id integer not null references escrows (id),
  tokens numeric(78, 0) not null,
  valid_until bigint not null,
  first_signed_at timestamptz not null default clock_timestamp(),
  primary key (order_id, valid_until)
);
create index escrow_signatures_of_escrow on escrow_signatures (escrow_id);
comment on table escrow_signatures is 'What was signed of an order: its words are those of its place, and until when; never anything else.';
create trigger escrow_signatures_append_only before update or delete on escrow_signatures for each row execute function refuse_change();
create trigger escrow_signatures_no_truncate before truncate on escrow_signatures for each statement execute function refuse_change();

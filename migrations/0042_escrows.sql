-- Escrows: contracts that hold the money of a stage's orders until all tokens that they owe lie there, and give it back otherwise.
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

alter table quotes add column escrow_id integer references escrows (id);
comment on column quotes.escrow_id is 'The escrow that is paid for it; null: an address of a wallet, or a fixed one.';
create index quotes_of_escrow on quotes (escrow_id) where escrow_id is not null;

alter table wallet_addresses
  alter column wallet_id drop not null,
  alter column index drop not null,
  add column escrow_id integer references escrows (id),
  add column order_key text,
  add constraint wallet_addresses_order_once unique (order_key),
  add constraint wallet_addresses_place check (
    num_nulls(wallet_id, index) = case when escrow_id is null then 0 else 2 end
    and (escrow_id is null) = (order_key is null)
    and (escrow_id is null or address = address_key and starts_with(address_key, order_key || ':')));
comment on column wallet_addresses.escrow_id is 'A place in an escrow instead of an address of a wallet: `CHAIN:ESCROW:ORDER:PAYER:BENEFICIARY:ASSET:AMOUNT:TOKENS`, in lower case, all that the contract says of a payment; amounts in smallest units.';
comment on column wallet_addresses.order_key is 'Its beginning, `CHAIN:ESCROW:ORDER`, by which the contract speaks of the order afterwards.';

alter table payments
  add column returned_by text,
  add column returned_height bigint,
  drop constraint payments_fault,
  add constraint payments_fault check (fault in ('wrong_asset', 'unmatched', 'returned')) not valid,
  drop constraint payments_state,
  add constraint payments_state check (state in (
    'seen', 'confirming', 'credited', 'final', 'replaced', 'orphaned', 'failed', 'wrong_asset', 'unmatched', 'returned')) not valid,
  add constraint payments_returned check (
    (returned_by is null) = (returned_height is null) and (fault is distinct from 'returned' or returned_by is not null)) not valid;
alter table payments validate constraint payments_fault;
alter table payments validate constraint payments_state;
alter table payments validate constraint payments_returned;
create index payments_returned on payments (chain) where state = 'returned';
create index payments_returning on payments (chain, returned_height) where returned_height is not null;
comment on column payments.returned_by is 'The transaction in which its escrow cancelled the order or gave the money back; it counts (fault `returned`) once that is as deep as the payment had to be.';

-- Payments that chains show, and the refunds that are owed for them.

create table payments (
  id bigint generated always as identity primary key,
  chain text not null references chains (name),
  transaction_id text not null,
  output_key text not null,
  address text not null,
  asset text not null,
  currency_id integer references currencies (id),
  amount numeric not null,
  order_id bigint references orders (id),
  user_id bigint references users (id),
  block_height bigint,
  block_hash text,
  inputs text[] not null default '{}',
  script bytea,
  spent_by text,
  spent_height bigint,
  seen_at timestamptz not null,
  mined_at timestamptz,
  orphaned_at timestamptz,
  missing_since timestamptz,
  replaced_by text,
  failed boolean not null default false,
  fault text,
  confirmations integer not null default 0,
  confirmations_needed integer not null,
  needs_finalized boolean not null default false,
  needs_second boolean not null default false,
  verified_hash text,
  confirmed boolean not null default false,
  final_at timestamptz,
  credited numeric not null default 0,
  owed numeric not null default 0,
  state text not null default 'seen',
  recorded_at timestamptz not null default clock_timestamp(),
  alive boolean not null generated always as (not failed and replaced_by is null and orphaned_at is null and fault is null) stored,
  constraint payments_counted_once unique (chain, transaction_id, address, output_key),
  constraint payments_amount_is_positive check (amount > 0),
  constraint payments_never_unconfirmed check (confirmations_needed >= 1),
  constraint payments_spent_once check (credited >= 0 and owed >= 0 and credited + owed <= amount),
  constraint payments_fault check (fault in ('wrong_asset', 'unmatched')),
  constraint payments_confirmed_in_a_block check (not confirmed or block_height is not null),
  constraint payments_state check (state in ('seen', 'confirming', 'credited', 'final', 'replaced', 'orphaned', 'failed', 'wrong_asset', 'unmatched'))
);
create index payments_of_order on payments (order_id, id);
create index payments_by_address on payments (address);
create index payments_unsettled on payments (chain, id) where final_at is null;
create index payments_final_lately on payments (chain, final_at) where final_at is not null;
create index payments_to_decide on payments (id desc) where fault is not null;
create index payments_unspent on payments (chain, id) where spent_by is null;
comment on table payments is 'What a chain shows on one of our addresses, once each: chain + transaction + output (or log, or the address''s balance at a block).';
comment on column payments.asset is '`native`, or the token''s contract in lower case.';
comment on column payments.inputs is 'What it spends (outpoints, or sender:nonce): another transaction that spends the same replaces it.';
comment on column payments.credited is 'The part that its approved order stands on.';
comment on column payments.owed is 'The part that is or was a refund due.';

create table refunds (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  order_id bigint references orders (id),
  user_id bigint not null references users (id),
  currency_id integer not null references currencies (id),
  chain text not null references chains (name),
  currency text not null,
  amount numeric not null,
  usd numeric(20, 2) not null,
  reason text not null,
  state text not null default 'owed',
  owed_at timestamptz not null default clock_timestamp(),
  address text,
  address_key text,
  claimed_at timestamptz,
  prepared_at timestamptz,
  transaction_id text,
  output_key text,
  block_height bigint,
  confirmations integer not null default 0,
  paid_at timestamptz,
  constraint refunds_amount_is_positive check (amount > 0),
  constraint refunds_state check (state in ('owed', 'claimed', 'prepared', 'sent', 'paid', 'written_off')),
  constraint refunds_claimed_have_an_address check (state in ('owed', 'written_off') or address is not null),
  constraint refunds_paid_once unique (chain, transaction_id, output_key)
);
create index refunds_open on refunds (chain, id) where state not in ('paid', 'written_off');
create index refunds_of_order on refunds (order_id);
comment on table refunds is 'Money owed to a buyer: recorded in the ledger when owed and when the chain has confirmed its payment.';

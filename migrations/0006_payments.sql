-- Payments as a chain shows them, and refunds.

create function say_payment() returns trigger language plpgsql as $$
begin
  raise exception 'the program''s functions are not in force' using errcode = 'restrict_violation';
end $$;

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
  recorded_at timestamptz not null default clock_timestamp(),
  alive boolean not null generated always as (not failed and replaced_by is null and orphaned_at is null and fault is null) stored,
  written_off_at timestamptz,
  written_off_reason text,
  returned_by text,
  returned_height bigint,
  first_seen_at timestamptz,
  late_rate numeric,
  lacking tstzrange,
  second_lacking tstzrange,
  return_lacking tstzrange,
  -- Rules: SETTLE-2
  constraint payments_counted_once unique (chain, transaction_id, address, output_key),
  constraint payments_amount_is_positive check (amount > 0),
  constraint payments_never_unconfirmed check (confirmations_needed >= 1),
  constraint payments_spent_once check (credited >= 0 and owed >= 0 and credited + owed <= amount),
  constraint payments_confirmed_in_a_block check (not confirmed or block_height is not null),
  constraint payments_written_off check ((written_off_at is null) = (written_off_reason is null)),
  constraint payments_fault check (fault in ('wrong_asset', 'unmatched', 'dust', 'returned')),
  constraint payments_returned check (
    (returned_by is null) = (returned_height is null) and (fault is distinct from 'returned' or returned_by is not null)),
  -- Holds between any two statements of a transaction too: no payment is credited by a confirmation that was given for another
  -- amount or another block.
  -- Rules: SETTLE-4
  constraint payments_confirmed_deep_enough check (not confirmed or confirmations >= confirmations_needed),
  -- Rules: SETTLE-3
  constraint payments_confirmed_when_first_seen check (not confirmed or first_seen_at is not null),
  constraint payments_confirmed_by_its_second
    check (not confirmed or not needs_second or verified_hash is not distinct from block_hash)
);
create index payments_of_order on payments (order_id, id);
create index payments_by_address on payments (address);
create index payments_unsettled on payments (chain, id) include (order_id) where final_at is null;
create index payments_to_decide on payments (id desc) where fault is not null;
create index payments_unspent on payments (chain, id) where spent_height is null;
create index payments_returning on payments (chain, returned_height) where returned_height is not null;
-- The freeze of a round asks for the few credited payments that their chain no longer shows.
create index payments_credited_and_gone on payments (order_id) where credited > 0 and (not alive or block_height is null);
-- Open payments: an unconfirmed one is found by what it spends, a balance by its address, and what is neither credited nor owed by
-- its chain. On a busy chain the payments that are not final are all of the last quarter of an hour, so none of these reads them all.
create index payments_waiting_by_input on payments using gin (inputs)
  where block_height is null and not failed;
create index payments_shown_by_balance on payments (address) where output_key = 'balance';
create index payments_uncredited on payments (chain) where final_at is null and alive and credited = 0 and owed = 0;
create index payments_of_two_nodes on payments (chain) where final_at is null and needs_second;
create index payments_by_outpoint on payments ((transaction_id || ':' || output_key));
-- Each poll of a chain asks for the payments that no order takes and that are not final.
create index payments_undecided on payments (chain) where final_at is null and fault is not null;
comment on table payments is 'What a chain shows on one of our addresses, once each: chain + transaction + output (or log, or the address''s balance at a block).';
comment on column payments.asset is '`native`, or the token''s contract in lower case.';
comment on column payments.inputs is 'What it spends (outpoints, or sender:nonce): another transaction that spends the same replaces it.';
comment on column payments.credited is 'The part that its approved order stands on.';
comment on column payments.owed is 'The part that is or was a refund due.';
comment on column payments.written_off_at is 'When operators decided that a payment which belongs to nobody stays undecided for good: an airdrop, a token that nobody listed.';
comment on column payments.returned_by is 'The transaction in which its escrow cancelled the order or gave the money back; it counts (fault `returned`) once that is as deep as the payment had to be.';
comment on column payments.seen_at is 'When a node showed the payment to this system first, or its block''s time if that is earlier and one node says it alone.';
comment on column payments.late_rate is 'Tokens for one coin, where it was first seen after its order''s expiry: the rate of then; below 0 where it could not buy, 0 where no rate was known.';
comment on column payments.first_seen_at is 'When the payment counts from; written once by `refresh_payments`, null until a block counts.';
comment on column payments.lacking is 'The first and the last reading of its block that lacked it; null where the block showed it when it was read last.';
comment on column payments.second_lacking is 'The same of the second node.';
comment on column payments.return_lacking is 'The same of the block of `returned_by`.';
create constraint trigger payments_taken_back_are_said after update of credited on payments
  deferrable initially deferred for each row when (old.credited > 0 and new.credited = 0) execute function say_payment();
create constraint trigger payments_are_said after insert or update of credited, block_hash on payments
  deferrable initially deferred for each row when (new.credited > 0) execute function say_payment();

create table refunds (
  id bigint generated always as identity primary key,
  payment_id bigint references payments (id),
  order_id bigint references orders (id),
  user_id bigint not null references users (id),
  currency_id integer not null references currencies (id),
  chain text not null,
  currency text not null,
  amount numeric not null,
  usd numeric(20, 2) not null,
  reason text not null,
  state text not null default 'owed',
  owed_at timestamptz not null default clock_timestamp(),
  from_height bigint,
  address text,
  address_key text,
  claimed_at timestamptz,
  prepared_at timestamptz,
  transaction_id text,
  output_key text,
  block_height bigint,
  confirmations integer not null default 0,
  paid_at timestamptz,
  -- By whose word a refund is paid: who prepared the file that pays it, and who named its transaction.
  named_at timestamptz,
  inputs text[] not null default '{}',
  paid_via text,
  lacking tstzrange,
  -- SQL compares a sealed address by its mark. Where a clear address stands beside it, the clear one is newer: a job seals it.
  address_sealed bytea,
  address_mark text,
  constraint refunds_amount_is_positive check (amount > 0),
  constraint refunds_state check (state in ('owed', 'claimed', 'prepared', 'sent', 'paid', 'written_off')),
  constraint refunds_paid_via check (paid_via in ('chain', 'operator')),
  constraint refunds_of_something check (payment_id is not null or order_id is not null),
  constraint refunds_sealed_are_marked check ((address_sealed is null) = (address_mark is null)),
  constraint refunds_claimed_have_an_address
    check (state in ('owed', 'written_off') or num_nonnulls(address, address_sealed) > 0)
);
-- The place of a token's transfer in its transaction is that among those to one address.
create unique index refunds_paid_once
  on refunds (chain, transaction_id, output_key, coalesce(address_mark, address_key));
create index refunds_open on refunds (chain, id) include (order_id) where state not in ('paid', 'written_off');
create index refunds_of_order on refunds (order_id);
create unique index refunds_by_word_once on refunds (order_id, reason) where payment_id is null and state <> 'written_off';
create index refunds_clear on refunds (id) where address is not null;
-- A block that is read again asks for the refunds that it paid.
create index refunds_by_block on refunds (chain, block_height) where block_height is not null;
comment on table refunds is 'Money owed to a buyer: recorded in the ledger when owed and when the chain has confirmed its payment.';
comment on column refunds.payment_id is 'Null where an operator approved the order and no chain showed a payment: the approval is its word.';
comment on column refunds.from_height is 'How far its chain was read when it was owed: no transfer in a block up to there pays it.';
comment on column refunds.address is 'Null once the address is sealed.';
comment on column refunds.address_key is 'The form in which a clear address is compared; null once it is sealed.';
comment on column refunds.named_at is 'When an operator said which transaction sends it; that transaction pays it whoever signed it.';
comment on column refunds.inputs is 'What its transaction spends: another transaction that spends the same replaces it.';
comment on column refunds.paid_via is 'Whether a chain has confirmed the payment, or operators have said that it was paid.';
comment on column refunds.lacking is 'The first and the last reading of its block that lacked its transfer; null once a block shows it.';
comment on column refunds.address_sealed is 'Sealed with SECRET_KEY for this row''s id.';
comment on column refunds.address_mark is 'HMAC-SHA-256 of chain and address, by which a sealed address is compared.';

create table second_words (
  subject text not null,
  id bigint not null,
  chain text not null references chains (name),
  height bigint,
  lacking tstzrange,
  primary key (subject, id),
  constraint second_words_subject check (subject in ('refund', 'return'))
);
comment on table second_words is 'What the second node says of the sendings of refunds and, by payment, of what escrows gave back.';
comment on column second_words.height is 'The block that both nodes have and in which the second one shows it; null where it showed none.';
comment on column second_words.lacking is 'The first and the last time that it lacked what the first node lacked too.';

create table refund_files (
  id bigint generated always as identity primary key,
  chain text not null,
  format text not null,
  file_name text not null,
  content text,
  inputs text[] not null default '{}',
  operator_id bigint references operators (id),
  prepared_at timestamptz not null default clock_timestamp(),
  content_sealed bytea,
  constraint refund_files_format check (format in ('psbt', 'csv')),
  constraint refund_files_have_content check (num_nonnulls(content, content_sealed) > 0)
);
create index refund_files_clear on refund_files (id) where content is not null;
comment on table refund_files is 'What was prepared to be signed, kept to be downloaded again.';
comment on column refund_files.content is 'Null once the file is sealed.';
comment on column refund_files.inputs is 'The outputs of ours that a PSBT spends.';
comment on column refund_files.content_sealed is 'Sealed with SECRET_KEY for this row''s id.';

create table refund_file_lines (
  file_id bigint not null references refund_files (id),
  refund_id bigint not null references refunds (id),
  primary key (file_id, refund_id)
);
create index refund_file_lines_of_refund on refund_file_lines (refund_id, file_id);
comment on table refund_file_lines is 'The refunds that a prepared file pays.';

create table refund_transfers (
  refund_id bigint not null references refunds (id),
  transaction_id text not null,
  output_key text not null,
  amount numeric not null,
  block_height bigint,
  inputs text[] not null default '{}',
  is_ours boolean not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (refund_id, transaction_id, output_key)
);
comment on table refund_transfers is 'Transfers to the address of a refund that do not pay it: a second payment, another amount, or somebody else''s.';
comment on column refund_transfers.is_ours is 'Whether it spends an output of ours or comes from a sender that operators set.';

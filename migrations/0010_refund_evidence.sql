-- By whose word a refund is paid: who prepared the file that pays it, who named its transaction, which senders
-- are ours, and what else reached its address.

alter table refunds
  add column named_at timestamptz,
  add column inputs text[] not null default '{}',
  add column paid_via text,
  add constraint refunds_paid_via check (paid_via in ('chain', 'operator'));
comment on column refunds.named_at is 'When an operator said which transaction sends it; that transaction pays it whoever signed it.';
comment on column refunds.inputs is 'What its transaction spends: another transaction that spends the same replaces it.';
comment on column refunds.paid_via is 'Whether a chain has confirmed the payment, or operators have said that it was paid.';

create table refund_files (
  id bigint generated always as identity primary key,
  chain text not null,
  format text not null,
  file_name text not null,
  content text not null,
  inputs text[] not null default '{}',
  operator_id bigint references operators (id),
  prepared_at timestamptz not null default clock_timestamp(),
  constraint refund_files_format check (format in ('psbt', 'csv'))
);
comment on table refund_files is 'What was prepared to be signed, kept to be downloaded again.';
comment on column refund_files.inputs is 'The outputs of ours that a PSBT spends.';

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

alter table chains add column refund_senders text[] not null default '{}';
comment on column chains.refund_senders is 'EVM: the addresses that refunds are paid from, in lower case; a matching transfer of theirs pays a refund.';

-- An output is watched until a block holds what spends it, because a waiting transaction can be replaced.
drop index payments_unspent;
create index payments_unspent on payments (chain, id) where spent_height is null;

-- Payments that were found before are counted as a chain's word.
update refunds set paid_via = 'chain' where state = 'paid';

-- Rounds whose distributor the server has seen at a final block of its chain, exactly as it was published and with all tokens in it.
alter table delivery_rounds
  add column token text,
  drop constraint delivery_rounds_state,
  add constraint delivery_rounds_state check (state in ('announced', 'cancelled', 'frozen', 'live'));
comment on column delivery_rounds.token is 'Contract of the delivered token, as the list names it; null before the freeze.';
update delivery_rounds r set token = list #>> '{distributor,token}'
  from (select round, convert_from(content, 'UTF8')::jsonb as list from delivery_round_files) f where f.round = r.number;

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

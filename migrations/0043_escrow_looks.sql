-- What the last look at each escrow showed, beside what the ledger says of it.
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
  constraint escrow_looks_state check (state in ('open', 'closed', 'delivered', 'refunding')),
  constraint escrow_looks_of_the_escrow check ((state is null) = coalesce(fault = 'other_code', false)),
  constraint escrow_looks_fault check (fault in ('other_code', 'owes_strangers', 'owes_less', 'short'))
);
comment on table escrow_looks is 'The newest final block in which the server read an escrow. All amounts are in the token''s smallest units.';
comment on column escrow_looks.state is 'Null where something else stands there: then nothing was asked of it.';
comment on column escrow_looks.promised is 'What the orders whose payments lie there by that block have of it, as the ledger says.';
comment on column escrow_looks.fault is 'Its code is another than was put in force; it owes orders that are none of ours; less than ours; or it lacks tokens that it says are there.';

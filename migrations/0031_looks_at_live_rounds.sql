-- What the last look at each live round's distributor showed.
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
insert into delivery_looks (round, height, block_hash, mined_at, balance, claimed, looked_at)
  select round, height, block_hash, mined_at, balance, claimed, live_at from delivery_distributors;

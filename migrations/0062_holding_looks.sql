-- What the watched addresses of EVM chains hold, by the last look at all of them in one final block.
create table holding_looks (
  chain text not null references chains (name),
  asset text not null,
  height bigint,
  block_hash text,
  mined_at timestamptz,
  looked_at timestamptz,
  balance numeric,
  declared numeric,
  declared_addresses text[],
  failure text,
  failing_since timestamptz,
  primary key (chain, asset),
  constraint holding_looks_whole check (num_nulls(height, block_hash, mined_at, looked_at, balance, declared, declared_addresses) in (0, 7)),
  constraint holding_looks_balance check (declared >= 0 and balance >= declared),
  constraint holding_looks_says_something check (height is not null or failure is not null),
  constraint holding_looks_failing check ((failure is null) = (failing_since is null))
);
comment on table holding_looks is 'One row a coin or token of a followed EVM chain; published at /solvency.';
comment on column holding_looks.asset is '`native`, or the contract in lower case.';
comment on column holding_looks.looked_at is 'When it was asked which addresses to read: of what came later the look knows nothing.';
comment on column holding_looks.balance is 'In coins, of the addresses that were given out and paid, and of those that operators declared.';
comment on column holding_looks.declared is 'What of the balance lies at `declared_addresses`: those that refunds are paid from, in lower case.';
comment on column holding_looks.failure is 'Why the newest look gave nothing; what stands beside it is of the one before.';

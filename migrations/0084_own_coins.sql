-- Coins at the chains for change of the sale's own wallets, so that what is there counts what refunds leave over.

create table own_coins (
  chain text not null constraint own_coins_chain_known references chains (name),
  transaction_id text not null,
  output integer not null,
  wallet_id integer not null constraint own_coins_wallet_known references wallets (id),
  index integer not null,
  amount numeric not null constraint own_coins_amount_is_positive check (amount > 0),
  height bigint not null,
  spent_by text,
  spent_height bigint,
  constraint own_coins_pkey primary key (chain, transaction_id, output),
  constraint own_coins_spent_by_something check (spent_height is null or spent_by is not null)
);
create index own_coins_by_wallet on own_coins (wallet_id, index);
comment on table own_coins is 'Outputs in blocks that pay a wallet''s own address for change (BIP 44: branch 1). No buyer is ever given one.';
comment on column own_coins.spent_by is 'The transaction that spends it, seen in the mempool or, with spent_height, in a block.';

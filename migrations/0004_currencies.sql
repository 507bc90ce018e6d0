-- Currencies and their rates, the chains that are followed for them, and the wallets whose addresses are paid.

create table chains (
  name text primary key,
  family text not null,
  identity text,
  epoch bigint not null default 0,
  leader text,
  led_since timestamptz,
  height bigint,
  hash text,
  node_height bigint,
  finalized_height bigint,
  polled_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  failing_since timestamptz,
  stopped boolean not null default false,
  confirmation_rules jsonb not null,
  revision integer not null default 1,
  takes_new_chain boolean not null default false,
  second_above_usd numeric,
  second_height bigint,
  second_finalized bigint,
  second_error text,
  second_error_at timestamptz,
  refund_senders text[] not null default '{}',
  balances_read_to timestamptz,
  constraint chains_family check (family in ('bitcoin', 'evm'))
);
comment on table chains is 'One row a chain that is followed. Height and hash are the cursor, written in the transaction of the payments up to it.';
comment on column chains.identity is 'Hash of the first block: a node of another network is refused.';
comment on column chains.epoch is 'Raised by each new leader; every transaction of a watcher checks that it still leads.';
comment on column chains.stopped is 'An invariant broke (a reorg below what was final): an operator has to look before it goes on.';
comment on column chains.confirmation_rules is 'Ordered: [{"belowUsd": "1000" | null, "confirmations": 1, "finalized": false}]; the first that fits an order''s dollars counts.';
comment on column chains.takes_new_chain is 'An operator resumed it: the next pass takes what the node shows, also below what was final.';
comment on column chains.second_above_usd is 'What is worth more counts by the word of two nodes; null where there is one node.';
comment on column chains.second_height is 'The height of the second node when it answered last, and up to where its chain was final (second_finalized).';
comment on column chains.second_error is 'What the second node failed with when it was asked last; null where it answered.';
comment on column chains.refund_senders is 'EVM: the addresses that refunds are paid from, in lower case; a matching transfer of theirs pays a refund.';
comment on column chains.balances_read_to is 'EVM: the time of a block up to which all is known that each address of a wallet held of the chain''s own coin.';

create table chain_blocks (
  chain text not null references chains (name),
  height bigint not null,
  hash text not null,
  parent text not null,
  mined_at timestamptz not null,
  lacked_at timestamptz,
  primary key (chain, height)
);
comment on table chain_blocks is 'The last blocks followed, to find the common ancestor after a reorg.';
comment on column chain_blocks.lacked_at is 'Infinity while the block, read again, lacks a transfer that it had shown; then when that was undone. It is read again with each new block until a day after.';

-- Nodes that operators configured. A node of the environment takes precedence.
create table chain_nodes (
  id bigint generated always as identity primary key,
  network text not null references chains (name),
  place integer not null,
  kind text not null,
  host text not null,
  url_encrypted bytea not null,
  set_by bigint not null references operators (id),
  set_at timestamptz not null default clock_timestamp(),
  constraint chain_nodes_one_a_place unique (network, place),
  constraint chain_nodes_place check (place in (1, 2)),
  constraint chain_nodes_kind check (kind in ('core', 'esplora', 'evm'))
);
comment on column chain_nodes.url_encrypted is 'The whole address, which may hold a key: sealed under SECRET_KEY. host alone is shown.';

create table wallets (
  id integer generated always as identity primary key,
  family text not null,
  name text not null,
  account_key text,
  script text not null,
  net text not null,
  next_index integer not null default 0,
  gap_limit integer not null default 20,
  checked_at timestamptz,
  operator_id bigint references operators (id),
  created_at timestamptz not null default clock_timestamp(),
  origin text,
  account_key_sealed bytea,
  change_unread_from bigint,
  constraint wallets_key_is_unique unique (account_key, script, family),
  constraint wallets_key_is_public check (account_key !~ 'prv'),
  -- A family is a network of src/shared/networks.ts, which alone lists them: another one needs no migration.
  constraint wallets_family check (family ~ '^[a-z0-9]+$'),
  constraint wallets_script check (script in ('p2wpkh', 'p2sh-p2wpkh', 'p2pkh', 'evm')),
  constraint wallets_net check (net in ('main', 'test', 'regtest')),
  constraint wallets_have_a_key check (num_nonnulls(account_key, account_key_sealed) > 0)
);
comment on table wallets is 'Account public keys (BIP 32). No private key is ever here: it is refused before it is sealed.';
comment on column wallets.account_key is 'Null once the key is sealed.';
comment on column wallets.next_index is 'The next unused address; each index is handed out once, together with those that are asked for at once.';
comment on column wallets.checked_at is 'When an operator found the first three addresses to be those of their own wallet; before that no order gets one.';
comment on column wallets.origin is 'Fingerprint of the master key and the path to the account key (BIP 380), for the unsigned transactions of refunds.';
comment on column wallets.account_key_sealed is 'Sealed with SECRET_KEY for this row''s id.';
comment on column wallets.change_unread_from is 'The height from which the watcher could not open the key, so that change in later blocks was not read; empty again once the key opens and no coin of the wallet was spent meanwhile.';

-- Rate sources that operators configured, and built-in sources that they removed. A source of the environment takes precedence.
create table rate_sources (
  id bigint generated always as identity primary key,
  kind text not null,
  host text not null,
  url_encrypted bytea not null,
  set_by bigint not null references operators (id),
  set_at timestamptz not null default clock_timestamp(),
  constraint rate_sources_one_a_host unique (host),
  constraint rate_sources_kind check (kind in ('coingecko', 'kraken', 'coinbase'))
);
comment on table rate_sources is 'A row is never changed: another address of a source is another row, so that its id says what was looked at.';
comment on column rate_sources.url_encrypted is 'The whole address, which may hold a key: sealed under SECRET_KEY. host alone is shown.';

create table rate_sources_left_out (
  name text primary key,
  set_by bigint not null references operators (id),
  set_at timestamptz not null default clock_timestamp(),
  constraint rate_sources_left_out_name check (name in ('coingecko', 'kraken', 'coinbase'))
);

create table rate_readings (
  id bigint generated always as identity primary key,
  price_id text not null,
  price_usd numeric,
  sources jsonb not null,
  problem text,
  read_at timestamptz not null default clock_timestamp()
);
create index rate_readings_by_coin on rate_readings (price_id, read_at desc);
comment on table rate_readings is 'What each price source said and the median that was taken; an order''s rate can be traced to it.';

-- Change of the sale's own wallets, so that the proof of reserves counts what refunds leave over.
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

-- Transactions that watched addresses of EVM chains sent: with what an address holds they say what it got.
create table coins_sent (
  chain text not null constraint coins_sent_chain_known references chains (name),
  transaction_id text not null,
  sender text not null,
  height bigint not null,
  cost numeric not null constraint coins_sent_cost_is_positive check (cost >= 0),
  lacking tstzrange,
  constraint coins_sent_pkey primary key (chain, transaction_id)
);
create index coins_sent_by_sender on coins_sent (sender, chain);
-- A reorganisation asks for those above its height, a second reading for those of one block.
create index coins_sent_by_height on coins_sent (chain, height);
comment on column coins_sent.sender is 'Key of the address (wallet_addresses.address_key).';
comment on column coins_sent.cost is 'Coins that it took from its sender: the value and the fee; of a failed one the fee.';
comment on column coins_sent.lacking is 'The first and the last reading of its block that lacked it; null where the block showed it when it was read last.';

create function keep_fixed_address() returns trigger language plpgsql as $$
begin
  raise exception 'the program''s functions are not in force' using errcode = 'restrict_violation';
end $$;

create table currencies (
  id integer generated by default as identity primary key,
  code text not null,
  full_name text not null,
  network text not null,
  address text not null default '',
  erc20 boolean not null default false,
  token_contract text,
  coin_decimals integer,
  rate numeric not null,
  rate_source text not null default 'manual',
  rate_at timestamptz not null default clock_timestamp(),
  price_id text,
  watched boolean not null default false,
  position integer not null default 0,
  switched_off_at timestamptz,
  paused_at timestamptz,
  pause_reason jsonb,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  wallet_id integer references wallets (id),
  rate_problem text,
  chain_id integer,
  in_escrow boolean not null default false,
  constraint currencies_code_is_unique unique (code),
  constraint currencies_code_is_upper_case check (code = upper(code) and code <> ''),
  constraint currencies_rate_is_positive check (rate > 0),
  constraint currencies_rate_source check (rate_source in ('manual', 'feed')),
  constraint currencies_watched_have_a_wallet check (not watched or wallet_id is not null),
  constraint currencies_in_escrow_are_watched check (watched or not in_escrow)
);
comment on column currencies.erc20 is 'Paid on an EVM network, so `Update ERC-20 Wallet` sets its address.';
comment on column currencies.rate is 'Tokens for one coin: 6 decimals or 12 significant digits, whichever is finer.';
comment on column currencies.rate_problem is 'Why a feed has no good rate just now; shown instead of a stale one.';
comment on column currencies.chain_id is 'EIP-155 id of the chain that is followed, where it is not the network''s main one; wallet links carry it.';
comment on column currencies.in_escrow is 'Its orders are paid into the escrow of their stage, never to an address.';
create trigger currencies_are_said after insert or update or delete on currencies
  for each row execute function say_row();
create trigger currencies_address_new after insert on currencies for each row execute function keep_fixed_address();
create trigger currencies_address_changed after update of address on currencies
  for each row when (new.address <> old.address) execute function keep_fixed_address();

create table currency_rates (
  id bigint generated always as identity primary key,
  currency_id integer not null references currencies (id) on delete cascade,
  rate numeric not null,
  price_usd numeric(20, 8),
  main_usd numeric(20, 8),
  reason text not null,
  from_at timestamptz not null default clock_timestamp(),
  reading_id bigint references rate_readings (id),
  source text,
  read_at timestamptz
);
create index currency_rates_by_currency on currency_rates (currency_id, from_at desc);
comment on table currency_rates is 'Every rate that was in force, and from when; orders keep theirs.';
comment on column currency_rates.price_usd is 'Dollars for one coin, where a source gave them.';
comment on column currency_rates.main_usd is 'The main currency value in force with this rate.';
comment on column currency_rates.source is 'What set the currency''s rates from then on, manual or feed.';
comment on column currency_rates.read_at is 'When a source gave the price behind it; a rescaled rate keeps it. Null where nobody read one.';

create table wallet_addresses (
  id bigint generated always as identity primary key,
  wallet_id integer references wallets (id),
  index integer,
  address text not null,
  address_key text not null,
  currency_id integer references currencies (id),
  reserved_at timestamptz not null default clock_timestamp(),
  base_height bigint,
  base_balance numeric,
  base_sent bigint,
  escrow_id integer,
  order_key text,
  constraint wallet_addresses_index_once unique (wallet_id, index),
  constraint wallet_addresses_given_once unique (address_key),
  constraint wallet_addresses_order_once unique (order_key),
  constraint wallet_addresses_base check ((base_balance is null) = (base_sent is null)),
  constraint wallet_addresses_place check (
    (wallet_id is null) = (index is null) and (escrow_id is null) = (order_key is null)
    and (wallet_id is null or escrow_id is null)
    and (escrow_id is null or address = address_key and starts_with(address_key, order_key || ':')))
);
create index wallet_addresses_of_payer on wallet_addresses (split_part(address, ':', 4)) where escrow_id is not null;
create index wallet_addresses_of_beneficiary on wallet_addresses (split_part(address, ':', 5)) where escrow_id is not null;
comment on table wallet_addresses is 'Each address that a wallet gave to an order, each place in an escrow, and each fixed address of a currency, now or before: no address is of two kinds.';
comment on column wallet_addresses.address_key is 'As watchers look it up: EVM in lower case, others as they are.';
-- A reorganisation asks for those that were given out above it.
create index wallet_addresses_by_base on wallet_addresses (base_height);
comment on column wallet_addresses.base_balance is 'What an EVM address held at base_height, when it was reserved: a wallet that was in use before may hold some.';
comment on column wallet_addresses.base_sent is 'How many transactions it had sent by then.';
comment on column wallet_addresses.escrow_id is 'A place in an escrow instead of an address of a wallet: `CHAIN:ESCROW:ORDER:PAYER:BENEFICIARY:ASSET:AMOUNT:TOKENS`, in lower case, all that the contract says of a payment; amounts in smallest units.';
comment on column wallet_addresses.order_key is 'Its beginning, `CHAIN:ESCROW:ORDER`, by which the contract speaks of the order afterwards.';

-- Balances of the watched addresses of EVM chains, all read in one final block.
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
comment on table holding_looks is 'One row a coin or token of a followed EVM chain; published at /reserves.';
comment on column holding_looks.asset is '`native`, or the contract in lower case.';
comment on column holding_looks.looked_at is 'When it was asked which addresses to read: of what came later the look knows nothing.';
comment on column holding_looks.balance is 'In coins, of the addresses that were given out and paid, and of those that operators declared.';
comment on column holding_looks.declared is 'What of the balance lies at `declared_addresses`: those that refunds are paid from, in lower case.';
comment on column holding_looks.failure is 'Why the newest look gave nothing; what stands beside it is of the one before.';

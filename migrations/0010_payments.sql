-- Payments that chains show: wallets without keys, addresses, chains followed, payments, settlement, refunds, rate readings.

-- Ledger entries in a coin need its own decimals (up to 18); tokens and dollars keep theirs.
alter table entries alter column amount type numeric;
alter table entries add constraint entries_amount_decimals check (scale(amount) <= 18);

-- Refunds that a reorg takes out of the chain again are owed again.
alter table postings drop constraint postings_kind;
alter table postings add constraint postings_kind check (kind in ('order_approved', 'order_reversed', 'grant', 'grant_reversed', 'refund_owed',
  'refund_paid', 'refund_unpaid', 'refund_written_off'));

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
  constraint chains_family check (family in ('bitcoin', 'evm'))
);
comment on table chains is 'One row a chain that is followed. Height and hash are the cursor, written in the transaction of the payments up to it.';
comment on column chains.identity is 'Hash of the first block: a node of another network is refused.';
comment on column chains.epoch is 'Raised by each new leader; every transaction of a watcher checks that it still leads.';
comment on column chains.stopped is 'An invariant broke (a reorg below what was final): an operator has to look before it goes on.';
comment on column chains.confirmation_rules is 'Ordered: [{"belowUsd": "1000" | null, "confirmations": 1, "finalized": false}]; the first that fits an order''s dollars counts.';

create table chain_blocks (
  chain text not null references chains (name),
  height bigint not null,
  hash text not null,
  parent text not null,
  mined_at timestamptz not null,
  primary key (chain, height)
);
comment on table chain_blocks is 'The last blocks followed, to find the common ancestor after a reorg.';

create table wallets (
  id integer generated always as identity primary key,
  family text not null,
  name text not null,
  account_key text not null,
  script text not null,
  net text not null,
  next_index integer not null default 0,
  gap_limit integer not null default 20,
  checked_at timestamptz,
  operator_id bigint references operators (id),
  created_at timestamptz not null default clock_timestamp(),
  constraint wallets_key_is_unique unique (account_key, script, family),
  constraint wallets_key_is_public check (account_key !~ 'prv'),
  constraint wallets_family check (family in ('bitcoin', 'litecoin', 'dogecoin', 'evm')),
  constraint wallets_script check (script in ('p2wpkh', 'p2sh-p2wpkh', 'p2pkh', 'evm')),
  constraint wallets_net check (net in ('main', 'test', 'regtest'))
);
comment on table wallets is 'Account public keys (BIP 32). No private key is ever here: the check constraint refuses one as a last line.';
comment on column wallets.next_index is 'The next unused address; a lock on this row hands each index out once.';
comment on column wallets.checked_at is 'When an operator found the first three addresses to be those of their own wallet; before that no order gets one.';

alter table currencies add column wallet_id integer references wallets (id);
alter table currencies add constraint currencies_watched_have_a_wallet check (not watched or wallet_id is not null);

create table wallet_addresses (
  id bigint generated always as identity primary key,
  wallet_id integer not null references wallets (id),
  index integer not null,
  address text not null,
  address_key text not null,
  currency_id integer references currencies (id),
  reserved_at timestamptz not null default clock_timestamp(),
  base_height bigint,
  base_balance numeric,
  constraint wallet_addresses_index_once unique (wallet_id, index),
  constraint wallet_addresses_given_once unique (address_key)
);
comment on column wallet_addresses.address_key is 'As watchers look it up: EVM in lower case, others as they are.';

comment on column wallet_addresses.base_balance is 'What an EVM address held at base_height, when it was reserved: a wallet that was in use before may hold some.';

create unique index quotes_watched_address_once on quotes (address) where watched;

alter table orders add column settle_at timestamptz;
alter table orders add column late_choice text;
alter table orders add column late_choice_at timestamptz;
alter table orders add constraint orders_late_choice check (late_choice in ('tokens', 'refund'));
create index orders_to_settle on orders (settle_at) where settle_at is not null;
comment on column orders.settle_at is 'When settle_order has to look again though no payment changed: a window ends then.';

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
alter table currency_rates add column reading_id bigint references rate_readings (id);
alter table currencies add column rate_problem text;
alter table currencies add column chain_id integer;
comment on column currencies.chain_id is 'EIP-155 id of the chain that is followed, where it is not the network''s main one; wallet links carry it.';
comment on column currencies.rate_problem is 'Why a feed has no good rate just now; shown instead of a stale one.';

-- Confirmations -----------------------------------------------------------------------------------------------------

create function confirmations_needed(p_chain text, p_usd numeric, out needed integer, out finalized boolean) language plpgsql stable as $$
begin
  select greatest(1, (r ->> 'confirmations')::integer), coalesce((r ->> 'finalized')::boolean, false) into needed, finalized
    from chains c, jsonb_array_elements(c.confirmation_rules) with ordinality as rules(r, position)
   where c.name = p_chain and (r ->> 'belowUsd' is null or p_usd < (r ->> 'belowUsd')::numeric)
   order by position limit 1;
  if needed is null then needed := 100; finalized := false; end if;
end $$;

-- When a payment counts as made: when first seen, if it was mined within 24 hours of that; else when it was mined.
create function payment_counts_from(p payments) returns timestamptz language sql stable as $$
  select case when coalesce(p.mined_at, clock_timestamp()) <= p.seen_at + interval '24 hours' then p.seen_at
              else coalesce(p.mined_at, clock_timestamp()) end
$$;

create function payment_state(p payments) returns text language sql immutable as $$
  select case
    when p.fault is not null then p.fault
    when p.failed then 'failed'
    when p.replaced_by is not null then 'replaced'
    when p.orphaned_at is not null then 'orphaned'
    when p.block_height is null then 'seen'
    when p.final_at is not null and p.credited + p.owed > 0 then 'final'
    when p.credited > 0 then 'credited'
    else 'confirming' end
$$;

-- The dollars of an amount of coin in an order: coin × tokens for one coin × price.
create function usd_of_coin(p_amount numeric, p_rate numeric, p_price_usd numeric) returns numeric language sql immutable as $$
  select round(p_amount * p_rate * p_price_usd, 2)
$$;

-- Orders ------------------------------------------------------------------------------------------------------------

-- Changes the finer state of an order and tells those who watch it; nothing where it stands already.
create function set_order_detail(p_order_id bigint, p_detail text, p_event text, p_details jsonb) returns void language plpgsql as $$
declare v_user bigint;
begin
  update orders set detail = p_detail, updated_at = clock_timestamp() where id = p_order_id and detail <> p_detail returning user_id into v_user;
  if not found then return; end if;
  insert into order_events (order_id, kind, actor, details) values (p_order_id, p_event, 'chain', jsonb_strip_nulls(p_details));
  insert into outbox (kind, order_id, user_id) values ('order_changed', p_order_id, v_user);
end $$;

-- The order of the quote whose address was paid. The usual way where that is open; else an order that holds nothing, so that
-- the money has a place: it settles as late, or is owed back. Returns the order's id.
create function order_of_quote(p_quote_id text, p_token text) returns bigint language plpgsql as $$
declare v_quote quotes%rowtype; v_created record; v_order_id bigint;
begin
  select * into v_quote from quotes where id = p_quote_id;
  perform queue_up(v_quote.user_id);
  select * into v_quote from quotes where id = p_quote_id for update;
  if v_quote.order_id is not null then return v_quote.order_id; end if;
  select * into v_created from create_order(v_quote.user_id, v_quote.id, p_token, null, null, '{"via": "payment"}', null);
  if v_created.refusal is null then
    insert into order_events (order_id, kind, actor) values (v_created.order_id, 'made_by_payment', 'chain');
    return v_created.order_id;
  end if;
  insert into orders (token, user_id, quote_id, currency_id, currency, stage_id, detail, held, base_tokens, bonus_tokens, bonus_percent,
                      crypto_amount, usd, price_usd, rate, address, watched, declarations, expires_at)
  select p_token, v_quote.user_id, v_quote.id, v_quote.currency_id, k.code, v_quote.stage_id, 'expired', false, v_quote.base_tokens,
         v_quote.bonus_tokens, v_quote.bonus_percent, v_quote.crypto_amount, v_quote.usd, v_quote.price_usd, v_quote.rate,
         v_quote.address, v_quote.watched, '{"via": "payment"}', least(v_quote.expires_at, s.ends_at)
    from currencies k, stages s where k.id = v_quote.currency_id and s.id = v_quote.stage_id
  returning id into v_order_id;
  update quotes set order_id = v_order_id where id = v_quote.id;
  insert into order_events (order_id, kind, actor, details)
  values (v_order_id, 'made_by_payment', 'chain', jsonb_build_object('refusal', v_created.refusal));
  insert into outbox (kind, order_id, user_id) values ('order_created', v_order_id, v_quote.user_id);
  return v_order_id;
end $$;

-- Refunds -----------------------------------------------------------------------------------------------------------

-- Posts a refund's amount of its coin: owed (received → refunds_owed), paid (refunds_owed → refunds_paid), unpaid and written off (back).
create function post_refund(p_refund refunds, p_kind text) returns void language plpgsql as $$
declare v_posting bigint; v_sign integer := case when p_kind in ('refund_owed', 'refund_unpaid') then 1 else -1 end;
begin
  insert into postings (kind, order_id, user_id, reason) values (p_kind, p_refund.order_id, p_refund.user_id, p_refund.reason) returning id into v_posting;
  insert into entries (posting_id, account, user_id, asset, amount) values
    (v_posting, case when p_kind in ('refund_paid', 'refund_unpaid') then 'refunds_paid' else 'received' end, null, p_refund.currency, -v_sign * p_refund.amount),
    (v_posting, 'refunds_owed', p_refund.user_id, p_refund.currency, v_sign * p_refund.amount);
end $$;

-- Tells of a refund on its way or written off, whoever changes it; owe_refund and refresh_refunds tell of one owed and paid.
create function tell_refund_state() returns trigger language plpgsql as $$
begin
  insert into outbox (kind, order_id, user_id, payload)
  values ('refund_' || new.state, new.order_id, new.user_id, jsonb_build_object('refund', new.id::text));
  return null;
end $$;
create trigger refunds_tell_state after update of state, transaction_id on refunds for each row
  when (new.state in ('sent', 'written_off')
        and (old.state, old.transaction_id) is distinct from (new.state, new.transaction_id))
  execute function tell_refund_state();

-- Owes p_amount of a confirmed payment back to p_user_id. The payment's row is locked; it can never owe more than it brought.
create function owe_refund(p_payment_id bigint, p_user_id bigint, p_amount numeric, p_reason text) returns bigint language plpgsql as $$
declare v_payment payments%rowtype; v_refund refunds%rowtype; v_rate numeric; v_price numeric;
begin
  select * into v_payment from payments where id = p_payment_id for update;
  select coalesce(case when o.currency_id = k.id then o.rate end, k.rate), coalesce(o.price_usd, c.price_usd, 0) into v_rate, v_price
    from currencies k cross join campaign c left join orders o on o.id = v_payment.order_id where k.id = v_payment.currency_id;
  update payments set owed = owed + p_amount where id = p_payment_id;
  insert into refunds (payment_id, order_id, user_id, currency_id, chain, currency, amount, usd, reason)
  select p_payment_id, v_payment.order_id, p_user_id, k.id, v_payment.chain, k.code, p_amount, usd_of_coin(p_amount, v_rate, v_price), p_reason
    from currencies k where k.id = v_payment.currency_id
  returning * into v_refund;
  perform post_refund(v_refund, 'refund_owed');
  if v_refund.order_id is not null then
    insert into order_events (order_id, kind, actor, details)
    values (v_refund.order_id, 'refund_owed', 'system', jsonb_build_object('amount', p_amount::text, 'currency', v_refund.currency, 'reason', p_reason));
  end if;
  insert into outbox (kind, order_id, user_id, payload) values ('refund_owed', v_refund.order_id, p_user_id, jsonb_build_object('refund', v_refund.id::text));
  return v_refund.id;
end $$;

-- Owes what is left of all confirmed payments of an order. Returns whether anything is owed now that was not.
create function owe_what_is_left(p_order orders, p_reason text) returns boolean language plpgsql as $$
declare v_payment record; v_any boolean := false;
begin
  for v_payment in
    select id, amount - credited - owed as rest from payments
     where order_id = p_order.id and alive and confirmed and amount - credited - owed > 0 order by id
  loop
    perform owe_refund(v_payment.id, p_order.user_id, v_payment.rest, p_reason);
    v_any := true;
  end loop;
  return v_any;
end $$;

-- Takes back what is owed for payments that the chain no longer shows, unless it was sent already.
create function write_off_refunds(p_order_id bigint) returns void language plpgsql as $$
declare v_refund refunds%rowtype;
begin
  for v_refund in
    select r.* from refunds r join payments p on p.id = r.payment_id
     where r.order_id = p_order_id and r.state in ('owed', 'claimed', 'prepared')
       and (p.block_height is null or p.failed or p.replaced_by is not null or p.orphaned_at is not null) order by r.id for update of r
  loop
    update refunds set state = 'written_off' where id = v_refund.id;
    update payments set owed = owed - v_refund.amount where id = v_refund.payment_id;
    perform post_refund(v_refund, 'refund_written_off');
  end loop;
end $$;

-- Settlement --------------------------------------------------------------------------------------------------------

-- Puts the settled amounts into an order and approves it. Capacity follows the difference while the order holds; one that
-- holds nothing takes all of it in approve_order. Locks: order row (caller's) → pools → holdings. Returns a refusal or null.
create function approve_settled(p_order orders, p_stage integer, p_base numeric, p_bonus numeric, p_usd numeric, p_crypto numeric,
                                p_rate numeric, p_price_usd numeric) returns text language plpgsql as $$
declare v_refusal text;
begin
  if p_order.held then
    if p_usd > p_order.usd or p_base > p_order.base_tokens or p_bonus > p_order.bonus_tokens then
      v_refusal := take_capacity(p_order.stage_id, greatest(0, p_usd - p_order.usd), greatest(0, p_base - p_order.base_tokens),
                                 greatest(0, p_bonus - p_order.bonus_tokens));
      if v_refusal is not null then return v_refusal; end if;
    end if;
    if p_usd < p_order.usd or p_base < p_order.base_tokens or p_bonus < p_order.bonus_tokens then
      perform lock_pools();
      perform release_capacity(p_order.stage_id, greatest(0, p_order.usd - p_usd), greatest(0, p_order.base_tokens - p_base),
                               greatest(0, p_order.bonus_tokens - p_bonus));
    end if;
  end if;
  update orders set stage_id = p_stage, base_tokens = p_base, bonus_tokens = p_bonus, usd = p_usd, crypto_amount = p_crypto,
         rate = p_rate, price_usd = p_price_usd
   where id = p_order.id
     and (stage_id, base_tokens, bonus_tokens, usd, crypto_amount, rate, price_usd)
         is distinct from (p_stage, p_base, p_bonus, p_usd, round(p_crypto, 6), p_rate, p_price_usd);
  select a.refusal into v_refusal from approve_order(p_order.id, 'chain', null, null, null) a;
  return v_refusal;
end $$;

-- Credits the confirmed payments of a just approved order with p_amount in all, oldest first; the rest is owed back.
create function credit_payments(p_order orders, p_amount numeric) returns void language plpgsql as $$
declare v_left numeric := p_amount; v_payment record; v_part numeric;
begin
  for v_payment in
    select id, amount - owed as whole from payments where order_id = p_order.id and alive and confirmed order by payment_counts_from(payments), id
  loop
    v_part := least(v_left, v_payment.whole);
    update payments set credited = v_part where id = v_payment.id and credited <> v_part;
    v_left := v_left - v_part;
  end loop;
  if owe_what_is_left(p_order, 'overpaid') then
    perform set_order_detail(p_order.id, 'overpaid', 'overpaid', '{}');
  end if;
end $$;

-- The rate and the price that were in force at p_at; null where a feed had no fresh one.
create function rate_at(p_currency_id integer, p_at timestamptz, out rate numeric, out price_usd numeric) language plpgsql stable as $$
declare v_from timestamptz; v_source text; v_minutes integer;
begin
  select r.rate, r.from_at into rate_at.rate, v_from from currency_rates r where r.currency_id = p_currency_id and r.from_at <= p_at order by r.from_at desc limit 1;
  select k.rate_source, (c.settings ->> 'feedRateMaxMinutes')::integer, coalesce(rate_at.rate, k.rate), coalesce(v_from, k.rate_at), c.price_usd
    into v_source, v_minutes, rate_at.rate, v_from, rate_at.price_usd from currencies k, campaign c where k.id = p_currency_id;
  select h.price_usd into rate_at.price_usd from (
    (select h.price_usd, 1 as place from price_changes h where h.changed_at <= p_at order by h.changed_at desc limit 1)
    union all select rate_at.price_usd, 2) h order by place limit 1;
  if v_source = 'feed' and v_from < p_at - make_interval(mins => coalesce(v_minutes, 5)) then rate := null; end if;
end $$;

-- Brings an order to what its payments say, by the rules that were shown before paying (docs/operating/chains.md):
-- a shortfall up to the smaller of 0.5 % and $0.50 is full; less at expiry settles in proportion at the locked rate if it
-- reaches the minimum, else may be topped up for 7 days, else is owed back; more buys more while limits allow, else the rest is
-- owed back; late within 24 hours and the same stage settles at the rate when first seen, otherwise the buyer chooses.
-- Computed from the quote and the payments alone, so that running it again changes nothing and a reorg is settled afresh.
-- One transaction: order row → pools → holdings. Returns the order's detail.
create function settle_order(p_order_id bigint) returns text language plpgsql as $$
declare
  o orders%rowtype; q quotes%rowtype; s stages%rowtype;
  v_now timestamptz := clock_timestamp();
  v_minimum numeric; v_maximum numeric;
  v_seen numeric; v_confirmed numeric; v_in_time numeric; v_alive integer; v_mined boolean; v_first timestamptz; v_waits_until timestamptz;
  v_lost numeric; v_refusal text; v_tolerance numeric; v_pay numeric; v_base numeric; v_bonus numeric; v_usd numeric;
  v_rate numeric; v_price numeric; v_stage integer; v_when timestamptz; v_detail text; v_top_up_until timestamptz;
begin
  select * into o from orders where id = p_order_id for update;
  if not found then return null; end if;
  perform set_config('presale.settling', '1', true);
  select * into q from quotes where id = o.quote_id;
  select order_minimum_tokens, order_maximum_tokens into v_minimum, v_maximum from campaign;
  perform write_off_refunds(o.id);
  update orders set settle_at = null where id = o.id and settle_at is not null;

  if o.status = 'approved' then
    select coalesce(sum(credited), 0) into v_lost from payments where order_id = o.id and (not alive or block_height is null);
    if o.approved_via = 'operator' then
      -- An operator took the decision; what the chain shows is the payment behind it.
      update payments set credited = case when alive and confirmed then amount - owed else 0 end
       where order_id = o.id and credited <> case when alive and confirmed then amount - owed else 0 end;
      perform set_config('presale.settling', '', true);
      return o.detail;
    end if;
    if v_lost = 0 then
      if owe_what_is_left(o, 'paid_after_approval') then
        perform set_order_detail(o.id, 'overpaid', 'overpaid', '{}');
      end if;
      perform set_config('presale.settling', '', true);
      return (select detail from orders where id = o.id);
    end if;
    -- The chain took back what the order stands on.
    select r.refusal into v_refusal from reject_order(o.id, null, 'payment_orphaned', null) r;
    if v_refusal is not null then
      perform set_order_detail(o.id, 'under_review', 'payment_lost', jsonb_build_object('refusal', v_refusal, 'amount', v_lost::text));
      perform set_config('presale.settling', '', true);
      return 'under_review';
    end if;
    update payments set credited = 0 where order_id = o.id and credited > 0;
    -- What was reserved goes back to the order: it lay in the pools that this transaction has locked.
    v_refusal := take_capacity(q.stage_id, q.usd, q.base_tokens, q.bonus_tokens);
    update orders set status = 'pending', detail = 'under_review', held = v_refusal is null, stage_id = q.stage_id, base_tokens = q.base_tokens,
           bonus_tokens = q.bonus_tokens, usd = q.usd, crypto_amount = q.crypto_amount, rate = q.rate, price_usd = q.price_usd
     where id = o.id returning * into o;
    insert into order_events (order_id, kind, actor, details)
    values (o.id, 'payment_lost', 'chain', jsonb_build_object('amount', v_lost::text));
  end if;

  if o.status = 'rejected' then
    update payments set credited = 0 where order_id = o.id and credited > 0;
    if owe_what_is_left(o, 'order_rejected') then
      perform set_order_detail(o.id, 'refund_due', 'refund_due', '{}');
    end if;
    perform set_config('presale.settling', '', true);
    return (select detail from orders where id = o.id);
  end if;
  update payments set credited = 0 where order_id = o.id and credited > 0;

  select coalesce(sum(amount - owed), 0), coalesce(sum(amount - owed) filter (where confirmed), 0),
         coalesce(sum(amount - owed) filter (where confirmed and payment_counts_from(p) <= o.expires_at), 0),
         count(*), coalesce(bool_or(block_height is not null), false), min(payment_counts_from(p)),
         min(seen_at + interval '24 hours') filter (where block_height is null)
    into v_seen, v_confirmed, v_in_time, v_alive, v_mined, v_first, v_waits_until
    from payments p where order_id = o.id and alive;
  v_when := null;

  if v_alive = 0 or v_seen = 0 then
    -- Nothing (any more): as if it had not been paid.
    if v_alive = 0 and o.detail in ('seen', 'confirming', 'underpaid', 'late', 'under_review', 'refund_due', 'awaiting_payment') then
      if o.held and v_now < o.expires_at then
        perform set_order_detail(o.id, case when o.detail = 'under_review' then 'under_review' else 'awaiting_payment' end, 'payment_gone', '{}');
        v_when := o.expires_at;
      else
        if o.held then
          perform lock_pools();
          perform release_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
          update orders set held = false where id = o.id;
        end if;
        perform set_order_detail(o.id, case when o.detail = 'under_review' then 'under_review' else 'expired' end, 'payment_gone', '{}');
      end if;
      update orders set settle_at = v_when where id = o.id and v_when is not null;
    end if;
    perform set_config('presale.settling', '', true);
    return (select detail from orders where id = o.id);
  end if;

  v_rate := q.rate; v_price := q.price_usd; v_stage := q.stage_id; v_detail := null; v_pay := null;
  v_top_up_until := o.expires_at + interval '7 days';

  if v_first <= o.expires_at then
    -- The locked rate is kept.
    v_tolerance := least(q.crypto_amount * 0.005, 0.50 / (q.rate * q.price_usd));
    if v_confirmed >= q.crypto_amount - v_tolerance then
      -- A top-up after the expiry completes the order but never buys more.
      v_pay := greatest(v_in_time, least(v_confirmed, q.crypto_amount));
      v_base := case when v_pay > q.crypto_amount then greatest(q.base_tokens, trunc(v_pay * q.rate, 6)) else q.base_tokens end;
    elsif v_seen >= q.crypto_amount - v_tolerance or (v_now > o.expires_at and v_seen > v_confirmed) then
      v_detail := case when v_mined then 'confirming' else 'seen' end;
      v_when := v_waits_until;
    elsif v_now <= o.expires_at then
      v_detail := 'underpaid';
      v_when := o.expires_at;
    elsif trunc(v_confirmed * q.rate, 6) >= v_minimum then
      v_pay := v_confirmed;
      v_base := trunc(v_confirmed * q.rate, 6);
    elsif v_now <= v_top_up_until then
      v_detail := 'underpaid';
      v_when := v_top_up_until;
    else
      v_detail := 'refund_due';
    end if;
  elsif v_seen > v_confirmed then
    v_detail := case when v_mined then 'confirming' else 'seen' end;
    v_when := v_waits_until;
  else
    -- Late.
    select * into s from stages where id = q.stage_id;
    if o.late_choice = 'refund' then
      v_detail := 'refund_due';
    elsif o.late_choice = 'tokens' then
      select r.rate, r.price_usd into v_rate, v_price from rate_at(o.currency_id, o.late_choice_at) r;
      select id into v_stage from stages where starts_at <= o.late_choice_at and ends_at > o.late_choice_at;
      if v_rate is null or v_stage is null then v_detail := 'late'; end if;
    elsif v_first <= o.expires_at + interval '24 hours' and v_first < s.ends_at then
      select r.rate, r.price_usd into v_rate, v_price from rate_at(o.currency_id, v_first) r;
      if v_rate is null then v_detail := 'late'; end if;
    else
      v_detail := 'late';
    end if;
    if v_detail is null then
      v_base := trunc(v_confirmed * v_rate, 6);
      if v_base < v_minimum then
        v_detail := 'refund_due';
      else
        v_pay := v_confirmed;
      end if;
    elsif v_detail = 'late' then
      v_when := v_first + interval '7 days';
      if v_now > v_when then v_detail := 'refund_due'; v_when := null; end if;
    end if;
  end if;

  if v_pay is not null then
    if v_base > greatest(v_maximum, q.base_tokens) then
      v_base := greatest(v_maximum, q.base_tokens);
      v_pay := least(v_pay, trunc(v_base / v_rate, 8));
    end if;
    v_bonus := case when v_base = q.base_tokens then q.bonus_tokens else round(v_base * q.bonus_percent / 100, 6) end;
    v_usd := case when v_base = q.base_tokens and v_price = q.price_usd then q.usd else round(v_base * v_price, 2) end;
    v_refusal := approve_settled(o, v_stage, v_base, v_bonus, v_usd,
                                 case when v_base = q.base_tokens and v_rate = q.rate then q.crypto_amount else round(v_pay, 6) end, v_rate, v_price);
    if v_refusal is not null and v_base > q.base_tokens and v_first <= o.expires_at then
      -- There is no room for more: what was ordered is bought, the rest is owed.
      v_pay := q.crypto_amount;
      select * into o from orders where id = o.id;
      v_refusal := approve_settled(o, q.stage_id, q.base_tokens, q.bonus_tokens, q.usd, q.crypto_amount, q.rate, q.price_usd);
    end if;
    if v_refusal is null then
      select * into o from orders where id = o.id;
      perform credit_payments(o, v_pay);
      insert into order_events (order_id, kind, actor, details)
      values (o.id, 'settled', 'system', jsonb_build_object('paid', v_confirmed::text, 'credited', v_pay::text, 'asked', q.crypto_amount::text,
              'baseTokens', o.base_tokens::text, 'rate', o.rate::text));
      perform set_config('presale.settling', '', true);
      return (select detail from orders where id = o.id);
    end if;
    v_detail := 'refund_due';
  end if;

  if o.held and (v_detail in ('refund_due', 'late') or (v_detail = 'underpaid' and v_now > o.expires_at)
                 or (v_first > o.expires_at)) then
    select * into o from orders where id = o.id;
    perform lock_pools();
    perform release_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
    update orders set held = false where id = o.id;
  end if;
  if v_detail = 'refund_due' then
    perform owe_what_is_left(o, coalesce(v_refusal, case when o.late_choice = 'refund' then 'buyer_chose_refund' when v_first > o.expires_at then 'late' else 'underpaid' end));
  end if;
  perform set_order_detail(o.id, v_detail, v_detail, jsonb_build_object('paid', v_seen::text, 'confirmed', v_confirmed::text, 'asked', q.crypto_amount::text, 'refusal', v_refusal));
  update orders set settle_at = v_when where id = o.id and settle_at is distinct from v_when;
  perform set_config('presale.settling', '', true);
  return v_detail;
end $$;

-- An operator's rejection makes the money behind the order owed, in the same transaction.
create function settle_rejected_order() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('presale.settling', true), '') = '' and exists (select 1 from payments where order_id = new.id) then
    perform settle_order(new.id);
  end if;
  return null;
end $$;
create trigger orders_rejected_are_settled after update of status on orders for each row
  when (new.status = 'rejected' and old.status <> 'rejected') execute function settle_rejected_order();

-- Settles the orders whose windows have ended, at most p_limit. Returns how many.
create function settle_due_orders(p_limit integer) returns integer language plpgsql as $$
declare v_order record; v_count integer := 0;
begin
  for v_order in select id from orders where settle_at <= clock_timestamp() order by settle_at limit p_limit for update skip locked loop
    perform settle_order(v_order.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

-- What a chain shows ------------------------------------------------------------------------------------------------

-- Records one transfer to one of our addresses, or learns something new about it (a block, another block). The payment's key
-- makes it count once. Returns the order it belongs to, or null.
create function record_transfer(
  p_chain text, p_transaction_id text, p_output_key text, p_address_key text, p_asset text, p_amount numeric,
  p_height bigint, p_hash text, p_mined_at timestamptz, p_failed boolean, p_inputs text[], p_script bytea, p_order_token text,
  p_second_above_usd numeric, out order_id bigint, out is_new boolean
) language plpgsql as $$
declare
  v_address wallet_addresses%rowtype; v_quote quotes%rowtype; v_currency currencies%rowtype; v_order orders%rowtype;
  v_now timestamptz := clock_timestamp(); v_seen timestamptz; v_fault text; v_rule record; v_usd numeric; v_payment payments%rowtype;
begin
  is_new := false;
  select * into v_address from wallet_addresses where address_key = p_address_key;
  if not found then return; end if;
  select * into v_payment from payments p
   where p.chain = p_chain and p.transaction_id = p_transaction_id and p.address = v_address.address and p.output_key = p_output_key;
  if found then
    -- Known: only a block, another block or its being back is news.
    update payments p set block_height = coalesce(p_height, p.block_height), block_hash = coalesce(p_hash, p.block_hash),
           mined_at = case when p_height is null then p.mined_at else coalesce(p.mined_at, least(v_now, p_mined_at)) end,
           orphaned_at = null, missing_since = null, failed = p_failed, replaced_by = null, verified_hash = case when p_hash is null or p_hash = p.block_hash then p.verified_hash end
     where p.id = v_payment.id
       and (p.orphaned_at is not null or p.replaced_by is not null or p.failed <> p_failed
            or (p_height is not null and (p.block_height, p.block_hash) is distinct from (p_height, p_hash)))
    returning p.order_id into order_id;
    return;
  end if;

  -- Somebody paid this address before it was reserved: a wallet in use has its own past.
  if p_height <= v_address.base_height and p_mined_at < v_address.reserved_at
     and exists (select 1 from currencies where id = v_address.currency_id and network = p_chain) then
    return;
  end if;
  v_seen := greatest(v_address.reserved_at, least(v_now, coalesce(p_mined_at, v_now)));
  select * into v_currency from currencies k
   where k.network = p_chain and case when p_asset = 'native' then coalesce(k.token_contract, '') = '' else lower(k.token_contract) = p_asset end
   -- The chain's own coin rather than a token whose contract nobody named (src/shared/wallet-links.ts, nativeCodes).
   order by (k.id = v_address.currency_id) desc,
            (k.code = any(case p_chain when 'ethereum' then array['ETH'] when 'bsc' then array['BNB'] when 'polygon' then array['POL', 'MATIC']
                                       when 'avalanche' then array['AVAX'] when 'cronos' then array['CRO'] else array[k.code] end)) desc, k.id
   limit 1;
  select * into v_quote from quotes q where q.address = v_address.address and q.watched;
  if v_quote.id is null then
    v_fault := 'unmatched';
  elsif v_currency.id is distinct from v_quote.currency_id then
    v_fault := 'wrong_asset';
  end if;
  if v_quote.order_id is not null then
    order_id := v_quote.order_id;
  elsif v_quote.id is not null and not p_failed and v_fault is null then
    order_id := order_of_quote(v_quote.id, p_order_token);
  end if;
  select * into v_order from orders where id = record_transfer.order_id;
  v_usd := greatest(coalesce(v_order.usd, 0), coalesce(usd_of_coin(p_amount, coalesce(v_order.rate, v_currency.rate), (select price_usd from campaign)), 0));
  select * into v_rule from confirmations_needed(p_chain, v_usd);
  insert into payments (chain, transaction_id, output_key, address, asset, currency_id, amount, order_id, user_id, block_height, block_hash,
                        inputs, script, seen_at, mined_at, failed, fault, confirmations_needed, needs_finalized, needs_second)
  values (p_chain, p_transaction_id, p_output_key, v_address.address, p_asset, v_currency.id, p_amount, record_transfer.order_id, v_quote.user_id,
          p_height, p_hash, p_inputs, p_script, v_seen, case when p_height is not null then least(v_now, p_mined_at) end, p_failed, v_fault,
          v_rule.needed, v_rule.finalized, p_second_above_usd is not null and v_usd > p_second_above_usd)
  on conflict on constraint payments_counted_once do nothing returning * into v_payment;
  is_new := v_payment.id is not null;
  if is_new then
    update payments set state = payment_state(payments) where id = v_payment.id;
    if v_fault is null and record_transfer.order_id is not null then
      insert into order_events (order_id, kind, actor, details)
      values (record_transfer.order_id, 'payment_seen', 'chain', jsonb_build_object('transactionId', p_transaction_id, 'amount', p_amount::text));
    else
      insert into outbox (kind, order_id, user_id, payload) values ('payment_to_decide', record_transfer.order_id, v_quote.user_id, jsonb_build_object('payment', v_payment.id::text));
    end if;
  end if;
end $$;

-- Takes everything above p_height back: the blocks, and the payments and refunds that lay in them. What was final stays: a reorg
-- below it stops the watcher before this. Returns the orders to settle.
create function undo_blocks(p_chain text, p_height bigint) returns setof bigint language plpgsql as $$
declare v_refund refunds%rowtype;
begin
  delete from chain_blocks where chain = p_chain and height > p_height;
  update payments set spent_by = null, spent_height = null where chain = p_chain and spent_height > p_height;
  for v_refund in
    select * from refunds where chain = p_chain and block_height > p_height and state in ('sent', 'paid') order by id for update
  loop
    update refunds set state = 'sent', block_height = null, confirmations = 0, paid_at = null where id = v_refund.id;
    if v_refund.state = 'paid' then
      perform post_refund(v_refund, 'refund_unpaid');
      perform set_order_detail(o.id, d.detail, d.detail, jsonb_build_object('lost', v_refund.transaction_id))
         from orders o, lateral (select case when o.status = 'approved' then 'overpaid' else 'refund_due' end as detail) d
        where o.id = v_refund.order_id and o.detail in ('credited', 'refunded');
    end if;
    insert into outbox (kind, order_id, user_id) values ('order_changed', v_refund.order_id, v_refund.user_id);
  end loop;
  return query
  update payments set block_height = null, block_hash = null, mined_at = null, orphaned_at = clock_timestamp(), confirmed = false,
         confirmations = 0, verified_hash = null
   where chain = p_chain and block_height > p_height and final_at is null
  returning payments.order_id;
end $$;

-- Brings every unsettled payment of a chain up to its height: confirmations, state, finality. Returns the orders to settle.
create function refresh_payments(p_chain text, p_height bigint, p_finalized bigint, p_final_depth integer) returns setof bigint language plpgsql as $$
declare v_finalized bigint := coalesce(p_finalized, (select finalized_height from chains where name = p_chain), -1);
begin
  return query
  with facts as (
    select p.id, greatest(0, case when p.block_height is null then 0 else p_height - p.block_height + 1 end)::integer as confirmations
      from payments p where p.chain = p_chain and p.final_at is null
  ), judged as (
    select p.id, f.confirmations,
           p.block_height is not null and p.alive and f.confirmations >= p.confirmations_needed
             and (not p.needs_finalized or p.block_height <= v_finalized)
             and (not p.needs_second or coalesce(p.verified_hash = p.block_hash, false)) as confirmed,
           p.block_height is not null and f.confirmations >= p_final_depth and f.confirmations >= p.confirmations_needed
             and (not p.needs_finalized or p.block_height <= v_finalized)
             and (not p.needs_second or coalesce(p.verified_hash = p.block_hash, false)) as is_final
      from payments p join facts f on f.id = p.id
  ), changed as (
    update payments p set confirmations = j.confirmations, confirmed = j.confirmed,
           final_at = case when j.is_final then clock_timestamp() end,
           failed = p.failed or (p.block_height is null and p.missing_since < clock_timestamp() - interval '24 hours')
      from judged j where p.id = j.id
       and (p.confirmations, p.confirmed, p.final_at is not null) is distinct from (j.confirmations, j.confirmed, j.is_final)
        or (p.id = j.id and p.block_height is null and not p.failed and p.missing_since < clock_timestamp() - interval '24 hours')
    returning p.order_id, p.user_id, p.confirmations <= p.confirmations_needed as is_shown
  ), told as (
    insert into outbox (kind, order_id, user_id)
    select distinct 'order_changed', c.order_id, c.user_id from changed c where c.is_shown and c.order_id is not null
  )
  select distinct c.order_id from changed c where c.order_id is not null;
end $$;

-- Writes each payment's state as its facts say; run after settling. Tells the orders' readers of new confirmations.
create function write_payment_states(p_chain text) returns void language sql as $$
  update payments p set state = payment_state(p) where p.chain = p_chain and p.final_at is null and p.state <> payment_state(p);
  update payments p set state = payment_state(p)
   where p.chain = p_chain and p.final_at > clock_timestamp() - interval '1 hour' and p.state <> payment_state(p);
$$;

-- Notes which waiting payments the node no longer holds, and which it holds again.
create function note_missing_payments(p_chain text, p_present text[]) returns void language sql as $$
  update payments set missing_since = case when transaction_id = any(p_present) then null else clock_timestamp() end
   where chain = p_chain and block_height is null and final_at is null and alive
     and (missing_since is null) <> (transaction_id = any(p_present));
$$;

-- An input that means something was spent: by another transaction than a waiting payment's own, which that one replaces; or an
-- output of ours, which the operator's wallet spent. Returns the orders to settle.
create function record_spend(p_chain text, p_input text, p_by text, p_height bigint) returns setof bigint language plpgsql as $$
begin
  update payments set spent_by = p_by, spent_height = p_height
   where chain = p_chain and transaction_id || ':' || output_key = p_input and (spent_by, spent_height) is distinct from (p_by, p_height);
  return query
  update payments set replaced_by = p_by, missing_since = null
   where chain = p_chain and final_at is null and block_height is null and not failed and p_input = any(inputs)
     and transaction_id <> p_by and replaced_by is distinct from p_by
  returning payments.order_id;
end $$;

-- Coins that a contract sent leave no transfer of their own, only a balance: what an address that never sent anything holds
-- beyond the payments known becomes one, keyed by the block at which it showed. Returns the order to settle, or null.
create function record_balance(p_chain text, p_address_key text, p_balance numeric, p_height bigint, p_hash text, p_mined_at timestamptz,
                               p_order_token text, p_second_above_usd numeric) returns bigint language plpgsql as $$
declare v_known numeric; v_order_id bigint;
begin
  select a.base_balance + coalesce(sum(p.amount), 0) into v_known
    from wallet_addresses a left join payments p
      on p.address = a.address and p.chain = p_chain and p.asset = 'native' and p.block_height > a.base_height and p.block_height <= p_height and not p.failed
   where a.address_key = p_address_key group by a.id;
  if v_known is null then return null; end if;
  if p_balance <= v_known then return null; end if;
  select t.order_id into v_order_id from record_transfer(p_chain, 'balance:' || p_height, 'balance', p_address_key, 'native', p_balance - v_known,
    p_height, p_hash, p_mined_at, false, '{}', null, p_order_token, p_second_above_usd) t;
  return v_order_id;
end $$;

-- A transfer to an address at which a refund was claimed: the oldest refund of exactly that amount is sent by it.
create function record_refund_transfer(p_chain text, p_transaction_id text, p_output_key text, p_address_key text, p_asset text,
                                       p_amount numeric, p_height bigint) returns bigint language plpgsql as $$
declare v_id bigint;
begin
  update refunds set block_height = coalesce(p_height, block_height), state = case when state = 'paid' then 'paid' else 'sent' end
   where chain = p_chain and transaction_id = p_transaction_id and output_key = p_output_key and address_key = p_address_key returning id into v_id;
  if found then return v_id; end if;
  select r.id into v_id from refunds r join currencies k on k.id = r.currency_id
   where r.chain = p_chain and r.address_key = p_address_key and r.amount = p_amount and r.state in ('claimed', 'prepared', 'sent')
     and (r.transaction_id is null or r.transaction_id = p_transaction_id) and r.output_key is null
     and case when p_asset = 'native' then coalesce(k.token_contract, '') = '' else lower(k.token_contract) = p_asset end
   order by (r.transaction_id is not null) desc, r.id limit 1 for update of r;
  if v_id is null then return null; end if;
  update refunds set state = 'sent', transaction_id = p_transaction_id, output_key = p_output_key, block_height = p_height where id = v_id;
  insert into outbox (kind, order_id, user_id) select 'order_changed', order_id, user_id from refunds where id = v_id and order_id is not null;
  return v_id;
end $$;

-- Confirmations of refunds on their way; what is confirmed is paid, in the ledger too.
create function refresh_refunds(p_chain text, p_height bigint) returns void language plpgsql as $$
declare v_refund refunds%rowtype;
begin
  with moved as (
    update refunds set confirmations = greatest(0, (p_height - block_height + 1))::integer
     where chain = p_chain and state = 'sent' and block_height is not null and confirmations <> greatest(0, (p_height - block_height + 1))
    returning order_id, user_id
  )
  insert into outbox (kind, order_id, user_id) select distinct 'order_changed', order_id, user_id from moved;
  for v_refund in
    select r.* from refunds r, lateral confirmations_needed(p_chain, r.usd) c
     where r.chain = p_chain and r.state = 'sent' and r.block_height is not null and r.confirmations >= c.needed order by r.id for update of r
  loop
    update refunds set state = 'paid', paid_at = clock_timestamp() where id = v_refund.id;
    perform post_refund(v_refund, 'refund_paid');
    insert into outbox (kind, order_id, user_id, payload)
    values ('refund_paid', v_refund.order_id, v_refund.user_id, jsonb_build_object('refund', v_refund.id::text));
    if exists (select 1 from orders where id = v_refund.order_id and detail in ('refund_due', 'overpaid'))
       and not exists (select 1 from refunds where order_id = v_refund.order_id and state not in ('paid', 'written_off')) then
      perform set_order_detail(v_refund.order_id, case when (select status from orders where id = v_refund.order_id) = 'approved' then 'credited' else 'refunded' end,
                               'refunded', jsonb_build_object('transactionId', v_refund.transaction_id));
    end if;
  end loop;
end $$;

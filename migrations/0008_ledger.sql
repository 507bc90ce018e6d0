-- The ledger: postings, entries, what each buyer holds, totals.

create table postings (
  id bigint generated always as identity primary key,
  kind text not null,
  order_id bigint references orders (id),
  approval integer,
  user_id bigint references users (id),
  reverses_id bigint references postings (id),
  operator_id bigint references operators (id),
  reason text,
  idempotency_key text,
  request_hash bytea,
  posted_at timestamptz not null default clock_timestamp(),
  round integer references delivery_rounds (number),
  -- A posting has all that the transparency log publishes of it: price and rate of an approval, the refund of money owed.
  price_usd numeric(20, 8),
  rate numeric,
  refund_id bigint references refunds (id),
  constraint postings_of_an_approval_happen_once unique (order_id, kind, approval),
  constraint postings_are_reversed_once unique (reverses_id),
  constraint postings_idempotency unique (operator_id, idempotency_key),
  constraint postings_kind check (kind in (
    'order_approved', 'order_reversed', 'grant', 'grant_reversed', 'referral', 'referral_reversed', 'refund_owed',
    'refund_paid', 'refund_unpaid', 'refund_written_off', 'round_frozen'))
);
create index postings_of_user on postings (user_id, id desc);
create unique index postings_of_a_round on postings (round, kind) where round is not null;
create index postings_of_refund on postings (refund_id) where refund_id is not null;
create index postings_of_referrals on postings (user_id) where kind in ('referral', 'referral_reversed');
-- Finds the newest grant, refund or frozen round without reading the postings of orders.
create index postings_seldom on postings (kind, id) where kind not in ('order_approved', 'order_reversed');
comment on column postings.approval is 'orders.approvals at the time: with the order and the kind it makes crediting twice impossible.';
comment on column postings.price_usd is 'Of an approval and of its reversal, as the order had it; null where that is not known any more.';
-- Rules: LEDGER-3
create trigger postings_append_only before update or delete on postings for each row execute function refuse_change();
create trigger postings_no_truncate before truncate on postings for each statement execute function refuse_change();

create table entries (
  id bigint generated always as identity primary key,
  posting_id bigint not null references postings (id),
  account text not null,
  user_id bigint,
  stage_id integer,
  asset text not null,
  amount numeric not null,
  -- A coin has up to 18 decimals.
  constraint entries_amount_decimals check (scale(amount) <= 18),
  constraint entries_account check (account in (
    'sale_supply', 'bonus_supply', 'buyer_purchased', 'buyer_bonus', 'buyer_granted',
    'buyer_deposits', 'raised_on_chain', 'raised_by_operator', 'refunds_owed', 'refunds_paid', 'received',
    'held_tokens', 'allocated_purchased', 'allocated_bonus', 'allocated_granted'))
);
create index entries_of_posting on entries (posting_id);
create index entries_of_user on entries (user_id, id desc) where user_id is not null;
comment on table entries is 'Signed amounts; buyers'' tokens are positive in buyer_*, what the campaign gave stands negative in *_supply. '
  'Dollars: raised_* positive, buyer_deposits negative.';
-- Rules: LEDGER-3
create trigger entries_append_only before update or delete on entries for each row execute function refuse_change();
create trigger entries_no_truncate before truncate on entries for each statement execute function refuse_change();

create table holdings (
  user_id bigint primary key references users (id),
  purchased_tokens numeric(30, 6) not null default 0,
  bonus_tokens numeric(30, 6) not null default 0,
  granted_tokens numeric(30, 6) not null default 0,
  deposits_usd numeric(20, 2) not null default 0,
  allocated_purchased numeric(30, 6) not null default 0,
  allocated_bonus numeric(30, 6) not null default 0,
  allocated_granted numeric(30, 6) not null default 0,
  constraint holdings_are_not_negative check (purchased_tokens >= 0 and bonus_tokens >= 0 and granted_tokens >= 0 and deposits_usd >= 0),
  constraint holdings_allocations check (least(allocated_purchased, allocated_bonus, allocated_granted) >= 0)
) with (fillfactor = 80);
create index holdings_by_deposits on holdings (deposits_usd desc, user_id) where deposits_usd > 0;
comment on table holdings is 'The fold of a buyer''s entries, kept in the same transaction; ledger:check proves that they agree.';
comment on column holdings.allocated_purchased is 'Of the purchased tokens, those in the list of a frozen round; the others are held.';

-- Asked at the commit: an order that buys more is reversed and approved anew, and between the two its buyer holds less.
create function refuse_less_than_allocated() returns trigger language plpgsql as $$
begin
  if exists (select from holdings
              where user_id = new.user_id
                and (purchased_tokens < allocated_purchased or bonus_tokens < allocated_bonus
                     or granted_tokens < allocated_granted)) then
    raise exception 'holdings of user % are less than rounds have of them', new.user_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger holdings_cover_allocations after insert or update on holdings
  deferrable initially deferred for each row
  when (new.purchased_tokens < new.allocated_purchased or new.bonus_tokens < new.allocated_bonus
        or new.granted_tokens < new.allocated_granted)
  execute function refuse_less_than_allocated();

-- Each row is of an order, or of the posting of a grant or a reward.
create table delivery_round_parts (
  round integer not null references delivery_rounds (number),
  -- References orders: checked by the ledger's rules alone, because a foreign key would lock each order after the pools.
  order_id bigint,
  posting_id bigint references postings (id),
  purchased_tokens numeric(30, 6) not null,
  bonus_tokens numeric(30, 6) not null,
  granted_tokens numeric(30, 6) not null,
  -- The final payments of the order that bought these tokens: they stand for them, also if their chain takes them back.
  payment_ids bigint[] not null default '{}',
  constraint delivery_round_parts_of_an_order_once unique (order_id, round),
  -- A grant is in a round as a whole.
  constraint delivery_round_parts_of_a_grant_once unique (posting_id),
  constraint delivery_round_parts_of_one check (num_nonnulls(order_id, posting_id) = 1),
  constraint delivery_round_parts_something check (
    least(purchased_tokens, bonus_tokens, granted_tokens) >= 0 and purchased_tokens + bonus_tokens + granted_tokens > 0
    and case when order_id is null then purchased_tokens + bonus_tokens else granted_tokens end = 0)
);
comment on table delivery_round_parts is 'Of what the rows of a round are made: what it has of each order, grant and reward, which can''t be taken back any more.';
create trigger delivery_round_parts_append_only before update or delete on delivery_round_parts
  for each row execute function refuse_change();
create trigger delivery_round_parts_no_truncate before truncate on delivery_round_parts
  for each statement execute function refuse_change();

create table sale_totals (
  stage_id integer not null references stages (id),
  day date not null,
  raised_on_chain_usd numeric(20, 2) not null default 0,
  raised_by_operator_usd numeric(20, 2) not null default 0,
  purchased_tokens numeric(30, 6) not null default 0,
  bonus_tokens numeric(30, 6) not null default 0,
  orders_on_chain integer not null default 0,
  orders_by_operator integer not null default 0,
  primary key (stage_id, day)
) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
comment on table sale_totals is 'The fold of approved orders and day (UTC), kept in the same transaction.';

create table received_totals (
  currency text not null,
  day date not null,
  amount numeric not null,
  usd numeric not null,
  orders bigint not null,
  primary key (currency, day)
);
comment on table received_totals is 'What approved orders brought, by currency and by the day (UTC) on which the order was made.';

-- Counts for the operators' overview.
create table day_counts (
  day date constraint day_counts_pkey primary key,
  page_views bigint not null default 0,
  swept_accounts bigint not null default 0
);
comment on table day_counts is 'By day (UTC): public pages as they were sent, and accounts that are gone since, so that they stay counted.';
comment on column day_counts.page_views is 'Of the public pages, robots and reloads included; of nobody is anything kept.';
comment on column day_counts.swept_accounts is 'Registrations of the day whose accounts were deleted and are gone since.';

-- The server's last check of each rule of the ledger.
create table ledger_checks (
  id boolean primary key default true,
  checked_at timestamptz not null,
  rules integer not null,
  broken jsonb not null,
  -- A rule whose statement failed or took too long neither holds nor is broken.
  unasked jsonb not null default '[]',
  constraint ledger_checks_one_row check (id),
  constraint ledger_checks_broken check (jsonb_typeof(broken) = 'array'),
  constraint ledger_checks_unasked check (jsonb_typeof(unasked) = 'array')
);
comment on table ledger_checks is 'The last run of the rules of npm run ledger:check, but for those that open seals; published at /reserves.';
comment on column ledger_checks.broken is 'The broken rules, each with the rows that break it by their ids and nothing else of them.';
comment on column ledger_checks.unasked is 'The rules that could not be asked: whether they hold is unknown.';

-- The ledger: double entry, append-only. A posting is one thing that happened; its entries sum to 0 in each asset.

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
  constraint postings_kind check (kind in (
    'order_approved', 'order_reversed', 'grant', 'grant_reversed', 'refund_owed',
    'refund_paid', 'refund_unpaid', 'refund_written_off')),
  constraint postings_of_an_approval_happen_once unique (order_id, kind, approval),
  constraint postings_are_reversed_once unique (reverses_id),
  constraint postings_idempotency unique (operator_id, idempotency_key)
);
create index postings_of_user on postings (user_id, id desc);
comment on column postings.approval is 'orders.approvals at the time: with the order and the kind it makes crediting twice impossible.';

create table entries (
  id bigint generated always as identity primary key,
  posting_id bigint not null references postings (id),
  account text not null,
  user_id bigint,
  stage_id integer,
  asset text not null,
  amount numeric not null,
  constraint entries_account check (account in (
    'sale_supply', 'bonus_supply', 'buyer_purchased', 'buyer_bonus', 'buyer_granted',
    'buyer_deposits', 'raised_on_chain', 'raised_by_operator', 'refunds_owed', 'refunds_paid', 'received')),
  -- A coin has up to 18 decimals.
  constraint entries_amount_decimals check (scale(amount) <= 18)
);
create index entries_of_posting on entries (posting_id);
create index entries_of_user on entries (user_id, id desc) where user_id is not null;
comment on table entries is 'Signed amounts; buyers'' tokens are positive in buyer_*, what the campaign gave stands negative in *_supply. '
  'Dollars: raised_* positive, buyer_deposits negative.';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger entries_append_only before update or delete on entries for each row execute function refuse_change();
create trigger entries_no_truncate before truncate on entries for each statement execute function refuse_change();
create trigger postings_append_only before update or delete on postings for each row execute function refuse_change();
create trigger postings_no_truncate before truncate on postings for each statement execute function refuse_change();

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  operator_id bigint references operators (id),
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  request_id text
);
create index audit_log_of_subject on audit_log (subject_type, subject_id, id desc);
create index audit_log_of_operator on audit_log (operator_id, id desc);
create index audit_log_by_action on audit_log (action text_pattern_ops, id desc);
comment on table audit_log is 'Every change that an operator makes: who, when, what, before and after, as references and never as personal data.';
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();

create table holdings (
  user_id bigint primary key references users (id),
  purchased_tokens numeric(30, 6) not null default 0,
  bonus_tokens numeric(30, 6) not null default 0,
  granted_tokens numeric(30, 6) not null default 0,
  claimed_tokens numeric(30, 6) not null default 0,
  deposits_usd numeric(20, 2) not null default 0,
  constraint holdings_are_not_negative check (purchased_tokens >= 0 and bonus_tokens >= 0 and granted_tokens >= 0 and deposits_usd >= 0),
  constraint holdings_cover_claims check (purchased_tokens + bonus_tokens + granted_tokens >= claimed_tokens)
) with (fillfactor = 80);
create index holdings_by_deposits on holdings (deposits_usd desc, user_id) where deposits_usd > 0;
comment on table holdings is 'The fold of a buyer''s entries, kept in the same transaction; ledger:check proves that they agree.';

create table sale_totals (
  stage_id integer not null references stages (id),
  day date not null,
  slot integer not null,
  raised_on_chain_usd numeric(20, 2) not null default 0,
  raised_by_operator_usd numeric(20, 2) not null default 0,
  purchased_tokens numeric(30, 6) not null default 0,
  bonus_tokens numeric(30, 6) not null default 0,
  orders_on_chain integer not null default 0,
  orders_by_operator integer not null default 0,
  primary key (stage_id, day, slot)
) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
comment on table sale_totals is 'The fold of approved orders by stage, day (UTC) and connection slot, kept in the same transaction so that no row is hot.';

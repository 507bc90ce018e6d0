-- From the terms of an escrow to its being paid: what is announced, who signs its quotes, and what was signed.
create table quote_keys (
  id integer generated always as identity primary key,
  address text not null,
  key_encrypted bytea not null,
  made_at timestamptz not null default clock_timestamp(),
  made_by bigint references operators (id),
  constraint quote_keys_once unique (address),
  constraint quote_keys_address check (address ~ '^0x[0-9a-fA-F]{40}$')
);
comment on table quote_keys is 'Keys that sign quotes of escrows. The newest alone signs; the older ones are kept for what they signed.';
create trigger quote_keys_no_delete before delete on quote_keys for each row execute function refuse_change();
create trigger quote_keys_no_truncate before truncate on quote_keys for each statement execute function refuse_change();

create table escrow_plans (
  number integer primary key,
  state text not null default 'announced',
  stage_id integer not null references stages (id),
  chain text not null references chains (name),
  chain_id bigint not null,
  token text not null,
  seller text not null,
  treasury text not null,
  quote_key text not null,
  cap_tokens numeric(30, 6) not null,
  closes_at timestamptz not null,
  deliver_by timestamptz not null,
  review_seconds integer not null,
  locks_first boolean not null,
  start_bps integer not null,
  cliff_seconds integer not null,
  linear_seconds integer not null,
  assets text[] not null,
  escrow_id integer references escrows (id),
  announced_at timestamptz not null default clock_timestamp(),
  announced_by bigint references operators (id),
  constraint escrow_plans_state check (state in ('announced', 'withdrawn', 'in_force')),
  constraint escrow_plans_in_force check ((state = 'in_force') = (escrow_id is not null)),
  constraint escrow_plans_cap check (cap_tokens > 0 and cap_tokens <= 1000000000000)
);
comment on table escrow_plans is 'The terms that an escrow is made with; its address follows from them and from the number.';
create unique index escrow_plans_one_a_stage on escrow_plans (stage_id, chain) where state <> 'withdrawn';
create trigger escrow_plans_no_delete before delete on escrow_plans for each row execute function refuse_change();
create trigger escrow_plans_no_truncate before truncate on escrow_plans for each statement execute function refuse_change();

create table escrow_signatures (
  quote_id text primary key references quotes (id),
  escrow_id integer not null references escrows (id),
  tokens numeric(78, 0) not null,
  valid_until bigint not null,
  first_signed_at timestamptz not null default clock_timestamp()
);
comment on table escrow_signatures is 'What was signed of an order: its words are those of its place, and until when; never anything else.';
create index escrow_signatures_of_escrow on escrow_signatures (escrow_id);
create trigger escrow_signatures_append_only before update or delete on escrow_signatures for each row execute function refuse_change();
create trigger escrow_signatures_no_truncate before truncate on escrow_signatures for each statement execute function refuse_change();

alter table currencies add column in_escrow boolean not null default false;
alter table currencies add constraint currencies_in_escrow_are_watched check (watched or not in_escrow) not valid;
alter table currencies validate constraint currencies_in_escrow_are_watched;
comment on column currencies.in_escrow is 'Its orders are paid into the escrow of their stage, never to an address.';

-- Who brings a buyer, and what that brings.

create table referral_links (
  user_id bigint primary key references users (id),
  code text not null,
  country text not null,
  made_at timestamptz not null default clock_timestamp(),
  constraint referral_links_code_unique unique (code),
  constraint referral_links_code_shape check (code ~ '^[a-z2-7]{10}$'),
  constraint referral_links_country_shape check (country ~ '^[A-Z]{2}$')
);
comment on column referral_links.country is 'Where its owner declared to live; a link is not given where the programme is not open.';

create table referrals (
  friend_id bigint primary key references users (id),
  referrer_id bigint not null references users (id),
  percent numeric(5, 2) not null,
  most_tokens_each numeric(30, 6) not null,
  most_tokens numeric(30, 6) not null,
  countries_excluded text[] not null,
  came_at timestamptz not null default clock_timestamp(),
  -- Rules: REFER-3
  constraint referrals_by_who_was_there_before check (referrer_id < friend_id)
);
create index referrals_of_referrer on referrals (referrer_id);
comment on table referrals is 'Who registered by whose link. Each friend''s account is younger than the referrer''s, so that no ring can close.';
comment on column referrals.percent is 'Of the base tokens of the friend''s orders. It and the next three are the terms when the friend came, which hold for these orders whatever is published later.';
comment on column referrals.most_tokens_each is 'What one person can be credited in all.';
comment on column referrals.most_tokens is 'What all together can be credited.';
create trigger referrals_append_only before update or delete on referrals for each row execute function refuse_change();
create trigger referrals_no_truncate before truncate on referrals for each statement execute function refuse_change();

create table referral_decisions (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  base_tokens numeric(30, 6) not null check (base_tokens > 0),
  referrer_id bigint not null references users (id),
  posting_id bigint unique references postings (id),
  refusal text,
  decided_at timestamptz not null default clock_timestamp(),
  constraint referral_decisions_one_of_two check (num_nonnulls(posting_id, refusal) = 1),
  constraint referral_decisions_refusal check (refusal in (
    'account_gone', 'taken_over', 'same_mailbox', 'same_device', 'same_address', 'ring', 'country_excluded', 'country_unknown',
    'limit_reached', 'supply_reached'))
);
create index referral_decisions_of_referrer on referral_decisions (referrer_id, decided_at desc);
create index referral_decisions_of_order on referral_decisions (order_id);
comment on table referral_decisions is 'What became of so many base tokens of a friend''s order: a posting, or why there is none.';
comment on column referral_decisions.base_tokens is 'The new ones: each base token of the order is decided once.';
create trigger referral_decisions_append_only before update or delete on referral_decisions
  for each row execute function refuse_change();
create trigger referral_decisions_no_truncate before truncate on referral_decisions
  for each statement execute function refuse_change();

create table referrals_found (
  friend_id bigint primary key references referrals (friend_id),
  refusal text not null,
  found_at timestamptz not null default clock_timestamp(),
  constraint referrals_found_refusal check (refusal in ('same_mailbox', 'same_device', 'same_address', 'ring'))
);
comment on table referrals_found is 'Friends who were found to be one person with who brought them. They bring nothing any more, whatever is changed or deleted afterwards.';
create trigger referrals_found_append_only before update or delete on referrals_found for each row execute function refuse_change();
create trigger referrals_found_no_truncate before truncate on referrals_found for each statement execute function refuse_change();

-- Giveaways whose draw anybody can repeat.

-- docs/giveaway.md: rules that nobody changes once they are published, entries, the list that is fixed at closing, the draw, winners.
create table giveaways (
  id bigint generated always as identity primary key,
  rules jsonb not null,
  revision integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  published_at timestamptz,
  sha256 text,
  opens_at timestamptz,
  closes_at timestamptz,
  draw_at timestamptz,
  constraint giveaways_are_published_whole check (num_nulls(published_at, sha256, opens_at, closes_at, draw_at) in (0, 5)),
  constraint giveaways_times_in_order check (opens_at < closes_at and published_at < closes_at and closes_at < draw_at)
);
comment on column giveaways.sha256 is 'Of the canonical JSON of the published rules.';
comment on column giveaways.draw_at is 'When the round is due whose signature is the random value.';
-- Rules: GIVE-1
create trigger giveaways_published_stay before update or delete on giveaways
  for each row when (old.published_at is not null) execute function refuse_change();
create trigger giveaways_no_truncate before truncate on giveaways
  for each statement execute function refuse_change();
-- Publishes the hash of the rules with the rules, and below the root of the list before the random value exists.
-- Rules: GIVE-4
create trigger giveaways_are_said after insert or update on giveaways
  for each row when (new.published_at is not null) execute function say_row();

create table giveaway_entries (
  giveaway_id bigint not null references giveaways (id),
  user_id bigint not null references users (id),
  mailbox_mark bytea not null,
  nonce bytea not null,
  commitment bytea not null,
  country text,
  bought boolean not null,
  entered_at timestamptz not null,
  primary key (giveaway_id, user_id),
  constraint giveaway_entries_one_a_mailbox unique (giveaway_id, mailbox_mark),
  constraint giveaway_entries_commitment unique (giveaway_id, commitment),
  constraint giveaway_entries_commitment_is_hash check (length(nonce) = 32 and length(commitment) = 32)
);
create index giveaway_entries_of_user on giveaway_entries (user_id);
comment on column giveaway_entries.mailbox_mark is 'Keyed hash of the mailbox in its normal form: one entry a mailbox, whatever account.';
comment on column giveaway_entries.country is 'As declared; emptied with the account.';
comment on column giveaway_entries.bought is 'Whether an order of the person was approved since the opening: counted in public, and nothing else follows from it.';

create table giveaway_lists (
  giveaway_id bigint primary key references giveaways (id),
  fixed_at timestamptz not null,
  commitments text[] not null,
  root text not null
);
create trigger giveaway_lists_append_only before update or delete on giveaway_lists
  for each row execute function refuse_change();
create trigger giveaway_lists_no_truncate before truncate on giveaway_lists
  for each statement execute function refuse_change();
create trigger giveaway_lists_are_said after insert on giveaway_lists
  for each row execute function say_row();

create table giveaway_draws (
  giveaway_id bigint primary key references giveaway_lists (giveaway_id),
  drawn_at timestamptz not null default clock_timestamp(),
  signature text not null,
  commitments text[] not null
);
comment on column giveaway_draws.commitments is 'Winners and alternates in order.';
create trigger giveaway_draws_append_only before update or delete on giveaway_draws
  for each row execute function refuse_change();
create trigger giveaway_draws_no_truncate before truncate on giveaway_draws
  for each statement execute function refuse_change();

create table giveaway_winners (
  giveaway_id bigint not null references giveaway_draws (giveaway_id),
  place integer not null,
  prize integer not null,
  user_id bigint not null references users (id),
  shown_as text not null,
  told_at timestamptz not null,
  confirm_by timestamptz not null,
  confirmed_at timestamptz,
  lapsed_at timestamptz,
  handed_at timestamptz,
  evidence text,
  primary key (giveaway_id, place),
  constraint giveaway_winners_lapsed_or_confirmed check (num_nonnulls(confirmed_at, lapsed_at) < 2),
  constraint giveaway_winners_handed_with_evidence check (num_nonnulls(handed_at, evidence) in (0, 2)),
  constraint giveaway_winners_handed_to_confirmed check (handed_at is null or confirmed_at is not null)
);
create unique index giveaway_winners_one_a_prize on giveaway_winners (giveaway_id, prize) where lapsed_at is null;
create index giveaway_winners_of_user on giveaway_winners (user_id);
comment on column giveaway_winners.place is 'In the drawn order, from 1: winners, then alternates as others lapse.';
comment on column giveaway_winners.prize is 'Which of the prizes, from 1, each counted as often as it is given.';
comment on column giveaway_winners.shown_as is 'The mail address, masked.';
create trigger giveaway_winners_no_truncate before truncate on giveaway_winners
  for each statement execute function refuse_change();
create trigger giveaway_winners_stay before delete on giveaway_winners
  for each row execute function refuse_change();

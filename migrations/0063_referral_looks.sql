-- Rewards for bringing buyers: which browsers an account signed in from, and what showed that two accounts are one person only after a reward was credited.

create table user_devices (
  user_id bigint not null references users (id),
  mark bytea not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, mark)
);
create index user_devices_of_mark on user_devices (mark);
comment on table user_devices is 'Browsers that signed in while rewards for bringing buyers were on. It outlives signing out, as sessions do not.';
comment on column user_devices.mark is 'The keyed hash of a random value that the browser keeps in a cookie; nothing of the browser itself.';

create table referrals_found (
  posting_id bigint primary key references postings (id),
  refusal text not null,
  found_at timestamptz not null default clock_timestamp(),
  constraint referrals_found_refusal check (refusal in ('same_mailbox', 'same_device', 'same_payer', 'same_address'))
);
comment on table referrals_found is 'Rewards that were taken back because the two turned out to be one person after the decision.';
create trigger referrals_found_append_only before update or delete on referrals_found for each row execute function refuse_change();
create trigger referrals_found_no_truncate before truncate on referrals_found for each statement execute function refuse_change();

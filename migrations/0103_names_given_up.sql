-- A nickname that its holder gives up stays that account's for 30 days: whoever took it at once would be taken for the person who was known by it.
-- And a friend whose country nobody was told brings no reward where a country has none.

create table nicknames_given_up (
  look_hash bytea primary key,
  user_id bigint references users (id),
  given_up_at timestamptz not null default clock_timestamp(),
  constraint nicknames_given_up_by_hash check (length(look_hash) = 32)
);
create index nicknames_given_up_by on nicknames_given_up (user_id);
create index nicknames_given_up_when on nicknames_given_up (given_up_at);
comment on table nicknames_given_up is 'Who had a nickname last, for 30 days: nobody else may take it. Of one account the last three, so that nobody keeps many from others.';
comment on column nicknames_given_up.look_hash is 'SHA-256 of users.nickname_look.';
comment on column nicknames_given_up.user_id is 'Null where the account was deleted: then it is nobody''s.';

-- The text that keeps names comes with the program (functions/accounts).
create function keep_given_up_nickname() returns trigger language plpgsql as $$
begin
  raise exception 'the program''s functions are not in force' using errcode = 'restrict_violation';
end $$;
create trigger users_nickname_new after insert on users
  for each row when (new.nickname is not null) execute function keep_given_up_nickname();
create trigger users_nickname_changed after update of nickname on users
  for each row when (old.nickname is distinct from new.nickname) execute function keep_given_up_nickname();

alter table referral_decisions
  drop constraint referral_decisions_refusal,
  add constraint referral_decisions_refusal check (refusal in (
    'account_gone', 'same_mailbox', 'same_device', 'same_payer', 'same_address', 'same_wallet', 'ring', 'country_excluded',
    'country_unknown', 'limit_reached', 'supply_reached'));

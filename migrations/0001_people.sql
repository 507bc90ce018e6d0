-- People: buyers, operators, how they prove who they are, and the limits on attempts.

-- functions/accounts has the text of this function; until it is put in force, no name changes.
create function keep_given_up_nickname() returns trigger language plpgsql as $$
begin
  raise exception 'the program''s functions are not in force' using errcode = 'restrict_violation';
end $$;

create table users (
  id bigint generated always as identity constraint users_pkey primary key,
  reference text not null
    default 'u_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)
    constraint users_reference_unique unique,
  email text,
  email_key text constraint users_email_unique unique,
  name text not null,
  phone text,
  password_hash text,
  -- From when on the password proves who asks, where it was set without the one before; null: since it was set.
  password_proves_from timestamptz,
  taken_over_at timestamptz,
  language text not null default 'en',
  confirmed_at timestamptz,
  shows_on_leaderboard boolean not null default false,
  nickname text,
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- Rules: ACCOUNT-1
  deletion_due_at timestamptz,
  -- Where a clear value stands beside a sealed one, the clear one is newer: a job seals it.
  name_sealed bytea,
  phone_sealed bytea,
  mailbox_sealed bytea,
  mailbox_mark text,
  constraint users_email_key_is_normal check (email_key = lower(btrim(email_key))),
  constraint users_deleted_is_anonymous check (
    deleted_at is null
    or num_nonnulls(email, email_key, phone, password_hash, nickname) = 0 and not shows_on_leaderboard
  ),
  constraint users_live_has_email check (deleted_at is not null or num_nonnulls(email, email_key) = 2),
  constraint users_name_length check (length(name) <= 200),
  constraint users_nickname_length check (length(nickname) between 2 and 30),
  constraint users_deleted_holds_no_seal
    check (deleted_at is null or num_nonnulls(name_sealed, phone_sealed) = 0),
  constraint users_mailbox_of_deleted
    check (num_nonnulls(mailbox_sealed, mailbox_mark) = 0 or deleted_at is not null and num_nulls(mailbox_sealed, mailbox_mark) = 0),
  constraint users_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$')
);
create unique index users_nickname_unique on users (lower(nickname));
create index users_email_prefix on users (email_key text_pattern_ops);
create index users_on_leaderboard on users (id) where shows_on_leaderboard;
-- For the operators' charts of the last 30 days. Rows lie on disk in the order in which they were made, so that an index of
-- page ranges finds the newest without an entry for each row.
create index users_by_day on users using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index users_password_plain on users (id) where password_hash like '$%';
create index users_by_mailbox on users (mailbox_mark) where mailbox_mark is not null;
create index users_to_delete on users (deletion_due_at) where deletion_due_at is not null;
create index users_clear on users (id) where name <> '' or phone is not null;
comment on column users.taken_over_at is 'When a reset first proved the mailbox: whoever registered it may have been somebody else.';
comment on column users.reference is 'Public and random: what operators, ledger and audit call this buyer by.';
comment on column users.email_key is 'Trimmed, lower case; null once the account is deleted, so that the address is free again.';
comment on column users.name is 'Empty once the name is sealed.';
comment on column users.phone is 'Null once the telephone is sealed.';
comment on column users.password_hash is 'The argon2id hash, sealed with SECRET_KEY: base64.';
comment on column users.confirmed_at is 'When the address was proved by a mailed link; buying does not wait for it.';
comment on column users.deletion_due_at is 'When the account is deleted unless a new password or its buyer stops it before; null: nobody asked.';
comment on column users.name_sealed is 'Sealed with SECRET_KEY for this row''s reference.';
comment on column users.phone_sealed is 'Sealed with SECRET_KEY for this row''s reference.';
comment on column users.mailbox_sealed is 'Of a deleted account with orders, whose addresses can be paid for ever: the SHA-256 of its e-mail address, sealed with SECRET_KEY for this row''s id.';
comment on column users.mailbox_mark is 'HMAC-SHA-256 of that hash, by which whoever names the address finds what is owed to the account.';
create trigger users_nickname_new after insert on users
  for each row when (new.nickname is not null) execute function keep_given_up_nickname();
create trigger users_nickname_changed after update of nickname on users
  for each row when (old.nickname is distinct from new.nickname) execute function keep_given_up_nickname();

create table operators (
  id bigint generated always as identity constraint operators_pkey primary key,
  reference text not null
    default 'op_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)
    constraint operators_reference_unique unique,
  login text not null,
  login_key text generated always as (lower(login)) stored constraint operators_login_unique unique,
  role text not null constraint operators_role_known check (role in ('owner', 'finance', 'content', 'support')),
  password_hash text,
  language text not null default 'en',
  email text,
  created_at timestamptz not null default now(),
  created_by bigint constraint operators_created_by_known references operators (id),
  disabled_at timestamptz,
  last_login_at timestamptz,
  revision integer not null default 1,
  alike_before boolean not null default false,
  independent_at timestamptz,
  constraint operators_login_shape check (login ~ '^[^[:space:]].{0,98}[^[:space:]]$'),
  constraint operators_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$')
);
comment on column operators.password_hash is 'The argon2id hash, sealed with SECRET_KEY: base64. Null until the one-time link has been used.';
comment on column operators.email is 'Where notices about wallets, rate sources and roles go; null where none was given.';
comment on column operators.revision is 'Raised by each change: an owner whose form shows an older one is told that somebody else was faster.';
comment on column operators.independent_at is 'When dual control was switched on while the operator could log in: one-time links from before relate the operator to nobody.';
comment on column operators.alike_before is 'Exempts the login from operators_login_alike; false of every operator that the program adds.';

-- A nickname that its holder gives up stays reserved for 30 days: another buyer who took it at once would be mistaken for the
-- person who was known by it.
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

create table user_sessions (
  token_hash bytea constraint user_sessions_pkey primary key,
  id uuid not null default gen_random_uuid() constraint user_sessions_id_unique unique,
  user_id bigint not null constraint user_sessions_user_known references users (id) on delete cascade,
  kind text not null constraint user_sessions_kind_known check (kind in ('browser', 'token')),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  authenticated_at timestamptz not null default now(),
  user_agent text not null default '',
  network text not null default '',
  has_second_factor boolean not null default false,
  constraint user_sessions_hash_length check (length(token_hash) = 32)
);
create index user_sessions_by_user on user_sessions (user_id);
create index user_sessions_by_expiry on user_sessions (expires_at);
comment on column user_sessions.token_hash is 'SHA-256 of a random 256-bit token that only the client holds.';
comment on column user_sessions.authenticated_at is 'Last time the person proved who they are: login or step-up.';
comment on column user_sessions.has_second_factor is 'Whether a second factor that is still on was given in this session: at its login, at a step-up, or when it was set up.';

create table operator_sessions (
  token_hash bytea constraint operator_sessions_pkey primary key,
  id uuid not null default gen_random_uuid() constraint operator_sessions_id_unique unique,
  operator_id bigint not null
    constraint operator_sessions_operator_known references operators (id) on delete cascade,
  kind text not null constraint operator_sessions_kind_known check (kind in ('browser', 'token')),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  authenticated_at timestamptz not null default now(),
  user_agent text not null default '',
  network text not null default '',
  has_second_factor boolean not null default false,
  constraint operator_sessions_hash_length check (length(token_hash) = 32)
);
create index operator_sessions_by_operator on operator_sessions (operator_id);
create index operator_sessions_by_expiry on operator_sessions (expires_at);
comment on column operator_sessions.has_second_factor is 'Whether a second factor that is still on was given in this session: at its login, at a step-up, or when it was set up.';

-- The next tables belong to one buyer or to one operator each: the same second factors and links serve both.
create table one_time_links (
  token_hash bytea constraint one_time_links_pkey primary key,
  purpose text not null,
  user_id bigint constraint one_time_links_user_known references users (id) on delete cascade,
  operator_id bigint constraint one_time_links_operator_known references operators (id) on delete cascade,
  email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint one_time_links_one_owner check (num_nonnulls(user_id, operator_id) = 1),
  constraint one_time_links_hash_length check (length(token_hash) = 32),
  constraint one_time_links_purpose_known check (
    purpose in ('confirm_email', 'change_email', 'reset_password', 'take_back', 'operator_invitation',
                'delivery_address', 'claim_debt'))
);
create index one_time_links_by_user on one_time_links (user_id, purpose);
create index one_time_links_by_operator on one_time_links (operator_id, purpose);
create index one_time_links_by_expiry on one_time_links (expires_at);
-- Whether an account may still be moved back to an address that somebody registers.
create index one_time_links_to_take_back on one_time_links (lower(btrim(email))) where purpose = 'take_back';
comment on column one_time_links.email is 'The address that the link was mailed to and that using it proves.';

create table totp_secrets (
  id bigint generated always as identity constraint totp_secrets_pkey primary key,
  user_id bigint constraint totp_secrets_user_known references users (id) on delete cascade,
  operator_id bigint constraint totp_secrets_operator_known references operators (id) on delete cascade,
  secret_encrypted bytea not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  trusted_since timestamptz,
  removed_at timestamptz,
  constraint totp_secrets_one_owner check (num_nonnulls(user_id, operator_id) = 1),
  constraint totp_secrets_removed_after_on check (confirmed_at is not null or num_nonnulls(trusted_since, removed_at) = 0)
);
create index totp_secrets_by_user on totp_secrets (user_id);
create index totp_secrets_by_operator on totp_secrets (operator_id);
create unique index totp_secrets_one_begun_per_user on totp_secrets (user_id) where confirmed_at is null;
create unique index totp_secrets_one_begun_per_operator on totp_secrets (operator_id) where confirmed_at is null;
comment on column totp_secrets.confirmed_at is 'Null until a first code has proved that the secret arrived; until then it guards nothing.';
comment on column totp_secrets.trusted_since is 'When the app that this one replaced was switched on; null if it replaced none.';
comment on column totp_secrets.removed_at is 'When it was switched off, or replaced. It is kept for days, because a reset in that time may switch it on again.';
comment on column totp_secrets.last_step is 'The 30-second step of the last accepted code: a code serves once, and never an older one after it.';

create table recovery_codes (
  code_hash bytea constraint recovery_codes_pkey primary key,
  user_id bigint constraint recovery_codes_user_known references users (id) on delete cascade,
  operator_id bigint constraint recovery_codes_operator_known references operators (id) on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  -- A rotation of SECRET_KEY goes through the codes by id.
  id bigint generated always as identity constraint recovery_codes_id_unique unique,
  constraint recovery_codes_one_owner check (num_nonnulls(user_id, operator_id) = 1)
);
create index recovery_codes_by_user on recovery_codes (user_id);
create index recovery_codes_by_operator on recovery_codes (operator_id);
create index recovery_codes_plain on recovery_codes (id) where length(code_hash) = 32;
comment on column recovery_codes.code_hash is 'The code''s mark (HMAC-SHA-256) with the mark''s own key, sealed with SECRET_KEY.';

create table passkeys (
  credential_id text constraint passkeys_pkey primary key,
  id uuid not null default gen_random_uuid() constraint passkeys_id_unique unique,
  user_id bigint constraint passkeys_user_known references users (id) on delete cascade,
  operator_id bigint constraint passkeys_operator_known references operators (id) on delete cascade,
  name text not null,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint passkeys_one_owner check (num_nonnulls(user_id, operator_id) = 1)
);
create index passkeys_by_user on passkeys (user_id);
create index passkeys_by_operator on passkeys (operator_id);
comment on column passkeys.credential_id is 'As the authenticator names it, base64url.';

create table passkey_challenges (
  challenge text constraint passkey_challenges_pkey primary key,
  purpose text not null constraint passkey_challenges_purpose_known check (
    purpose in ('user_login', 'operator_login', 'user_registration', 'operator_registration')
  ),
  user_id bigint constraint passkey_challenges_user_known references users (id) on delete cascade,
  operator_id bigint constraint passkey_challenges_operator_known references operators (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);
comment on table passkey_challenges is 'Each is deleted by the answer that uses it: an answer cannot be sent twice.';

-- Limits on attempts. Subjects are keyed hashes, never addresses; old rows of both tables are deleted.
create table rate_limits (
  key text constraint rate_limits_pkey primary key,
  free_at timestamptz not null
);
create index rate_limits_by_time on rate_limits (free_at);
comment on column rate_limits.free_at is 'When everything taken has flowed back (generic cell rate algorithm).';

create table attempt_strikes (
  key text constraint attempt_strikes_pkey primary key,
  strikes integer not null,
  struck_at timestamptz not null,
  blocked_until timestamptz not null
);
create index attempt_strikes_by_time on attempt_strikes (struck_at);
comment on table attempt_strikes is 'Attempts in a row without a success; each one past the free ones waits longer.';

create table known_networks (
  subject text not null,
  network_hash text not null,
  last_login_at timestamptz not null default now(),
  constraint known_networks_pkey primary key (subject, network_hash)
);
comment on table known_networks is 'Where an account has logged in from before: strangers'' failed attempts never make these wait.';

-- Failed attempts at an account, shown to the person whose account it is.
create table failed_attempts (
  id bigint generated always as identity constraint failed_attempts_pkey primary key,
  user_id bigint constraint failed_attempts_user_known references users (id) on delete cascade,
  operator_id bigint constraint failed_attempts_operator_known references operators (id) on delete cascade,
  reason text not null
    constraint failed_attempts_reason_known check (reason in ('password', 'code', 'used_code', 'step_up')),
  network text not null,
  day date not null default (now() at time zone 'UTC')::date,
  attempts int not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  told_at timestamptz,
  constraint failed_attempts_one_owner check (num_nonnulls(user_id, operator_id) = 1),
  constraint failed_attempts_of_user unique (user_id, reason, network, day),
  constraint failed_attempts_of_operator unique (operator_id, reason, network, day)
);
create index failed_attempts_by_time on failed_attempts (last_at);
comment on table failed_attempts is 'What failed at one account, from one network, in one day; deleted after 30 days.';
comment on column failed_attempts.network is 'Shortened to the part that many share; empty for what failed inside a session.';
comment on column failed_attempts.told_at is 'When a mail told the person of it.';

-- Browsers that an account signed in from: two accounts in one browser are one person, and bring no reward.
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

-- Rules: LEDGER-3
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create function refuse_note_removal() returns trigger language plpgsql as $$
begin
  if exists (select 1 from users where id = old.user_id and deleted_at is null) then
    raise exception 'user_notes is append-only' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;

create table user_notes (
  id bigint generated always as identity constraint user_notes_pkey primary key,
  user_id bigint not null constraint user_notes_user_known references users (id),
  operator_id bigint not null constraint user_notes_operator_known references operators (id),
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  order_id bigint,
  constraint user_notes_length check (length(body) between 1 and 2000)
);
create index user_notes_of_user on user_notes (user_id, id desc);
create index user_notes_of_order on user_notes (order_id, id desc) where order_id is not null;
comment on table user_notes is 'What operators write about a buyer: never changed, and gone once the account is anonymous.';
comment on column user_notes.order_id is 'The order that the note is about; null: it is about the buyer.';
create trigger user_notes_append_only before update on user_notes for each row execute function refuse_change();
create trigger user_notes_stay before delete on user_notes for each row execute function refuse_note_removal();
create trigger user_notes_no_truncate before truncate on user_notes for each statement execute function refuse_change();

create table mail_texts (
  id bigint generated always as identity constraint mail_texts_pkey primary key,
  kind text not null,
  language text not null,
  version integer not null constraint mail_texts_version_positive check (version > 0),
  subject text constraint mail_texts_subject_short check (length(subject) between 1 and 150),
  body text constraint mail_texts_body_short check (length(body) between 1 and 4000),
  operator_id bigint constraint mail_texts_operator_known references operators (id),
  published_at timestamptz not null default now(),
  constraint mail_texts_version_once unique (kind, language, version),
  constraint mail_texts_whole check ((subject is null) = (body is null)),
  constraint mail_texts_language_is_code check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$')
);
comment on table mail_texts is 'Operators'' words for mails, by version; without words the product''s own text is in force again.';

-- Attempts at an account that failed, for the person whose account it is.

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

-- What the rules of the books said when they were last asked by the program itself.
create table book_checks (
  id boolean primary key default true,
  checked_at timestamptz not null,
  rules integer not null,
  broken jsonb not null,
  constraint book_checks_one_row check (id),
  constraint book_checks_broken check (jsonb_typeof(broken) = 'array')
);
comment on table book_checks is 'The last run of the rules of npm run ledger:check, but for those that open seals; published at /solvency.';
comment on column book_checks.broken is 'The broken rules, each with the rows that break it by their ids and nothing else of them.';

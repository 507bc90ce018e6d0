-- A rule that can't be asked (its statement ended with an error, or took too long) neither holds nor is broken.

alter table book_checks
  add column unasked jsonb not null default '[]',
  add constraint book_checks_unasked check (jsonb_typeof(unasked) = 'array');
comment on column book_checks.unasked is 'The rules that could not be asked: whether they hold is unknown.';

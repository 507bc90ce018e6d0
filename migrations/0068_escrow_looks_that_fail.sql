-- A look at an escrow that fails is said beside what the last one showed, as for live rounds.
alter table escrow_looks
  add column failure text,
  add column failing_since timestamptz,
  add constraint escrow_looks_failing check ((failure is null) = (failing_since is null));
comment on column escrow_looks.failure is 'Why the newest look failed; the rest is what the last one showed that did not.';

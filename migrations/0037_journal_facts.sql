-- What the journal says beside postings and terms: each row is one public fact as it stands from then on, written by the triggers below
-- whatever program makes the change. The functions' texts come with the program (functions/journal).

create table journal_facts (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  said jsonb not null,
  at timestamptz not null default clock_timestamp()
);
create index journal_facts_of_subject on journal_facts (subject, id desc);
comment on table journal_facts is 'An entry of the journal each (docs/journal.md): payments, currencies, wallets, what is published, live rounds, counts of acts.';
comment on column journal_facts.subject is 'The row that it is about, as payments/17; the newest fact of a subject is what stands.';
comment on column journal_facts.said is 'The entry''s fields.';
create trigger journal_facts_append_only before update or delete on journal_facts
  for each row execute function refuse_change();
create trigger journal_facts_no_truncate before truncate on journal_facts
  for each statement execute function refuse_change();

create function say_payment() returns trigger language plpgsql as $$
begin
  raise exception 'the program''s functions are not in force' using errcode = 'restrict_violation';
end $$;
create function say_currency() returns trigger language plpgsql as $$
begin
  raise exception 'the program''s functions are not in force' using errcode = 'restrict_violation';
end $$;
create function say_publication() returns trigger language plpgsql as $$
begin
  raise exception 'the program''s functions are not in force' using errcode = 'restrict_violation';
end $$;
create function say_live_round() returns trigger language plpgsql as $$
begin
  raise exception 'the program''s functions are not in force' using errcode = 'restrict_violation';
end $$;

-- At the commit: a settlement takes all credits back before it gives them again.
create constraint trigger payments_are_said after insert or update of credited on payments
  deferrable initially deferred for each row when (new.credited > 0) execute function say_payment();
create constraint trigger payments_taken_back_are_said after update of credited on payments
  deferrable initially deferred for each row when (old.credited > 0 and new.credited = 0) execute function say_payment();
create trigger currencies_are_said after insert or update or delete on currencies
  for each row execute function say_currency();
create trigger announcements_are_said after insert or update or delete on announcements
  for each row execute function say_publication();
create trigger documents_are_said after insert or update or delete on documents
  for each row execute function say_publication();
create trigger legal_texts_are_said after insert or update on legal_texts
  for each row execute function say_publication();
create trigger delivery_distributors_are_said after insert on delivery_distributors
  for each row execute function say_live_round();

-- Says what stood before the journal said such facts. Answers how many.
create or replace function say_what_stands() returns bigint language sql as $$
  with unsaid as (
    insert into journal_facts (kind, subject, said)
    select s.kind, s.subject, s.said from facts_that_stand() s
     where not exists (select from journal_facts f where f.subject = s.subject)
     order by s.kind, s.subject
    returning 1)
  select count(*) from unsaid
$$;

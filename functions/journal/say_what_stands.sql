-- Says what stood before the journal said such facts. Answers how many. What is being changed meanwhile is
-- waited for: it says itself, and what stood before would be said behind it.
create or replace function say_what_stands() returns bigint language sql as $$
  lock table currencies, payments, announcements, documents in share mode;
  with unsaid as (
    insert into journal_facts (kind, subject, said)
    select s.kind, s.subject, s.said from facts_that_stand() s
     where not exists (select from journal_facts f where f.subject = s.subject)
     order by s.kind, s.subject
    returning 1)
  select count(*) from unsaid
$$;

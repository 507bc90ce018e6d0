-- Publishes current facts that are missing in the log, and returns their number. The lock waits for open
-- changes, which publish themselves: an older fact must not follow them.
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

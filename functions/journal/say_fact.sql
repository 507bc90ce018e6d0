-- Publishes a log entry, unless it equals the last one of its subject.
-- Rules: LOG-2
create or replace function say_fact(p_kind text, p_subject text, p_said jsonb) returns void
language sql as $$
  insert into journal_facts (kind, subject, said)
  select p_kind, p_subject, p_said
   where not exists (
     select from (select f.kind, f.said from journal_facts f where f.subject = p_subject
                   order by f.id desc limit 1) last
      where last.kind = p_kind and last.said = p_said)
$$;

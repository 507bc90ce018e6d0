-- Publishes announcements, documents and legal texts, their changes and their withdrawal; drafts are left
-- out.
create or replace function say_publication() returns trigger language plpgsql as $$
declare v_fact jsonb; v_subject text;
begin
  if tg_table_name = 'legal_texts' then
    perform say_fact('legal.published', 'legal_texts/' || new.kind || '.' || new.version, legal_fact(new));
    return null;
  end if;
  v_subject := tg_table_name || '/' || coalesce(new.id, old.id);
  if tg_op = 'DELETE' then
    v_fact := null;
  elsif tg_table_name = 'documents' then
    v_fact := document_fact(new);
  else
    v_fact := announcement_fact(new);
  end if;
  if v_fact is not null then
    perform say_fact(rtrim(tg_table_name, 's') || '.published', v_subject, v_fact);
  elsif exists (select from journal_facts where subject = v_subject) then
    perform say_fact(rtrim(tg_table_name, 's') || '.withdrawn', v_subject,
                     jsonb_build_object(rtrim(tg_table_name, 's'), coalesce(new.id, old.id)));
  end if;
  return null;
end $$;

-- Publishes a changed row's current log entry, or the withdrawal of a published row that has none any more.
create or replace function say_row() returns trigger language plpgsql as $$
declare
  v_row jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  v_one text := rtrim(tg_table_name, 's');
  v_key text := coalesce(v_row ->> 'id', v_row ->> 'giveaway_id', v_row ->> 'round',
                         (v_row ->> 'kind') || '.' || (v_row ->> 'version'));
  v_subject text := tg_table_name || '/' || v_key;
begin
  perform say_fact(f.kind, f.subject, f.said) from facts_that_stand() f
    where f.source = tg_table_name and f.subject = v_subject;
  if found or not exists (select from journal_facts where subject = v_subject) then return null; end if;
  if tg_table_name = 'currencies' then
    perform say_fact('currency.removed', v_subject, jsonb_build_object('currency', v_row -> 'code'));
  else
    perform say_fact(v_one || '.withdrawn', v_subject, jsonb_build_object(v_one, v_row -> 'id'));
  end if;
  return null;
end $$;

-- Publishes a currency's payment details after a change.
create or replace function say_currency() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform say_fact('currency.removed', 'currencies/' || old.id, jsonb_build_object('currency', old.code));
  else
    perform say_fact('currency.set', 'currencies/' || new.id, currency_fact(new));
  end if;
  return null;
end $$;

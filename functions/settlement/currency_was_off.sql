-- Returns whether the sale took no orders in a currency at p_at, by the transparency log: switched off,
-- paused, or without a wallet and an address.
-- Rules: LATE-1, LATE-2
create or replace function currency_was_off(p_currency_id integer, p_at timestamptz) returns boolean
language sql stable as $$
  select coalesce((
    select f.said @> '{"isAccepted": false}' or f.said @> '{"isPaused": true}'
           or f.said @> '{"wallet": null, "address": ""}'
      from journal_facts f
     where f.subject = 'currencies/' || p_currency_id and f.at <= p_at order by f.id desc limit 1), false)
$$;

-- Puts one event a row into the outbox, in the transaction of what it tells about; a job turns them into
-- mails, webhooks and live events. p_kind is one of the kinds in src/server/jobs/outbox.ts; element n of the
-- arrays is event n; p_payload is what cannot be read from the order or the user.
create or replace function tell_each(
  p_kind text, p_order_ids bigint[], p_user_ids bigint[], p_payload jsonb default '{}'
) returns void language sql as $$
  insert into outbox (kind, order_id, user_id, payload)
  select p_kind, e.order_id, e.user_id, p_payload
    from unnest(p_order_ids, p_user_ids) as e(order_id, user_id);
$$;

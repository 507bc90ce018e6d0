-- Adds events to the outbox, in the transaction of the change. A job turns them into mails, webhooks and live
-- events. The kinds are in src/server/jobs/outbox.ts. Element n of the arrays is event n; p_payload holds
-- only data that the order and the user lack.
create or replace function tell_each(
  p_kind text, p_order_ids bigint[], p_user_ids bigint[], p_payload jsonb default '{}'
) returns void language sql as $$
  insert into outbox (kind, order_id, user_id, payload)
  select p_kind, e.order_id, e.user_id, p_payload
    from unnest(p_order_ids, p_user_ids) as e(order_id, user_id);
$$;

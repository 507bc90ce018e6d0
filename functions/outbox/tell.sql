-- Puts one event into the outbox, in the transaction of what it tells about; a job turns it into mails,
-- webhooks and live events. p_kind is one of the kinds in src/server/jobs/outbox.ts; p_payload is what cannot
-- be read from the order or the user.
create or replace function tell(
  p_kind text, p_order_id bigint, p_user_id bigint, p_payload jsonb default '{}'
)
returns void language plpgsql as $$
begin
  insert into outbox (kind, order_id, user_id, payload) values (p_kind, p_order_id, p_user_id, p_payload);
end $$;

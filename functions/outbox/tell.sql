-- Adds one event to the outbox; see tell_each.
create or replace function tell(
  p_kind text, p_order_id bigint, p_user_id bigint, p_payload jsonb default '{}'
) returns void language plpgsql as $$
begin
  perform tell_each(p_kind, array[p_order_id], array[p_user_id], p_payload);
end $$;

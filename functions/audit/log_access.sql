-- Logs that an operator read a buyer's data, once an hour (UTC) for each operator, API key (p_key, null:
-- none) and buyer. The buyer is p_user_id or that of p_order_id. Returns the seconds for which the entry is
-- enough, or 0 without an entry if there is no such buyer: the number may be assigned in a moment.
-- Rules: RIGHT-24
create or replace function log_access(
  p_operator_id bigint, p_key text, p_user_id bigint, p_order_id bigint, p_request_id text
) returns double precision language plpgsql as $$
declare
  -- Computed before the entry is written. If the entry falls into the next hour, the read is logged twice
  -- rather than never.
  v_left constant double precision := 3600 - extract(epoch from clock_timestamp()) % 3600;
  v_reference text;
begin
  select reference into v_reference from users
   where id = coalesce(p_user_id, (select user_id from orders where id = p_order_id));
  if not found then
    return 0;
  end if;
  perform write_audit(p_operator_id, 'user.read', 'user', v_reference,
                      case when p_key is not null
                           then jsonb_build_object('after', jsonb_build_object('key', p_key)) end,
                      p_request_id);
  return v_left;
end $$;

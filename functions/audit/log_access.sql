-- Writes into the audit log that an operator reads the data of a buyer, given by p_user_id or by an order
-- of theirs, once an hour (UTC) for each operator, and apart for each API key (p_key; null: none). A number
-- that nobody has leaves no entry. Returns for how many seconds the entry stands, until the hour ends: none
-- where there is no entry, because somebody may have that number in a moment.
-- Rules: RIGHT-24
create or replace function log_access(
  p_operator_id bigint, p_key text, p_user_id bigint, p_order_id bigint, p_request_id text
) returns double precision language plpgsql as $$
declare
  -- Taken before the entry: one that falls into the next hour is then asked for again, never missed.
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

-- Changes the finer state of an order and tells those who watch it; nothing where it stands already. The
-- event is noted where there is one; the chain did it, where p_details don't say who (by).
create or replace function set_order_detail(p_order_id bigint, p_detail text, p_event text, p_details jsonb)
returns void language plpgsql as $$
declare v_user bigint;
begin
  update orders
     set detail = p_detail, hidden = stays_hidden(hidden, status, p_detail), updated_at = clock_timestamp()
   where id = p_order_id and (detail <> p_detail or hidden <> stays_hidden(hidden, status, p_detail))
  returning user_id into v_user;
  if not found then return; end if;
  if p_event is not null then
    perform note_order_event(p_order_id, p_event, coalesce(p_details ->> 'by', 'chain'), null,
                             jsonb_strip_nulls(p_details - 'by'));
  end if;
  perform tell('order_changed', p_order_id, v_user, jsonb_build_object('detail', p_detail));
end $$;

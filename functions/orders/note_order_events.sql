-- Records an event of each order; details default to {}.
create or replace function note_order_events(p_kind text, p_events order_event[])
returns void language plpgsql as $$
begin
  insert into order_events (order_id, kind, actor, operator_id, details)
  select e.order_id, p_kind, e.actor, e.operator_id, coalesce(e.details, '{}') from unnest(p_events) e;
end $$;

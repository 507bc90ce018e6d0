-- Notes what happened to an order after its creation. p_actor is buyer, chain, system or operator;
-- p_operator_id is given with operator only.
create or replace function note_order_event(
  p_order_id bigint, p_kind text, p_actor text, p_operator_id bigint default null,
  p_details jsonb default '{}'
) returns void language plpgsql as $$
begin
  insert into order_events (order_id, kind, actor, operator_id, details)
  values (p_order_id, p_kind, p_actor, p_operator_id, coalesce(p_details, '{}'));
end $$;

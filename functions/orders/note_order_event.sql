-- Records an order event; see note_order_events. p_actor is buyer, chain, system or operator; p_operator_id
-- is given with operator only.
create or replace function note_order_event(
  p_order_id bigint, p_kind text, p_actor text, p_operator_id bigint default null,
  p_details jsonb default '{}'
) returns void language plpgsql as $$
begin
  perform note_order_events(
    p_kind, array[row(p_order_id, p_actor, p_operator_id, p_details)::order_event]);
end $$;

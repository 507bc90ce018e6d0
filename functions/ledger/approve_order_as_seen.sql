-- Approves an order for an operator who saw it as p_seen (null: however it stands). Refusals:
-- order_changed (somebody or a payment decided about it meanwhile), then those of approve_order.
create or replace function approve_order_as_seen(
  p_order_id bigint, p_seen text, p_operator_id bigint, p_reason text, p_request_id text,
  out refusal text, out changed boolean
) language plpgsql as $$
begin
  changed := false;
  refusal := order_stands(p_order_id, p_seen, 'approved');
  if refusal is not null then return; end if;
  select a.refusal, a.changed into approve_order_as_seen.refusal, approve_order_as_seen.changed
    from approve_order(p_order_id, 'operator', p_operator_id, p_reason, p_request_id) a;
end $$;

-- Approves one order and credits it, as approve_orders does, which names the refusals.
create or replace function approve_order(
  p_order_id bigint, p_via text, p_operator_id bigint, p_reason text, p_request_id text,
  out refusal text, out changed boolean
) language plpgsql as $$
begin
  select a.refusal, a.changed into approve_order.refusal, approve_order.changed
    from approve_orders(
      array[row(p_order_id, null, p_operator_id, p_reason, p_request_id)::approval], p_via) a;
end $$;

-- Rejects an order, and owes what was paid for it back. A pending one lets go what it holds; an approved one
-- is debited exactly what was credited, in its own stage, by entries of its own. One whose money goes back
-- keeps saying so: it can't be approved again. Refusals: order_unknown, tokens_claimed (the balance would
-- fall below what is claimed).
create or replace function reject_order(
  p_order_id bigint, p_operator_id bigint, p_reason text, p_request_id text,
  out refusal text, out changed boolean
) language plpgsql as $$
begin
  select u.refusal, u.changed into reject_order.refusal, reject_order.changed
    from undo_order(p_order_id, p_operator_id, p_reason, p_request_id) u;
  if reject_order.changed and exists (select 1 from payments where order_id = p_order_id) then
    perform settle_order(p_order_id);
  end if;
end $$;

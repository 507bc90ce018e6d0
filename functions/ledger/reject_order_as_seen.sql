-- Rejects an order for an operator who saw it as p_seen (null: however it stands): who rejects one that
-- waits does not mean to take back tokens that were credited meanwhile. Refusals: order_changed, then
-- order_on_chain (p_came is said of an order whose chain shows what came), order_in_escrow (its money lies in
-- an escrow, which alone can take the order out), order_signed (it may still be paid there), those of
-- reject_order.
-- Rules: LEDGER-6, DELIVER-25, DELIVER-28
create or replace function reject_order_as_seen(
  p_order_id bigint, p_seen text, p_operator_id bigint, p_reason text, p_request_id text, p_came numeric,
  out refusal text, out changed boolean
) language plpgsql as $$
begin
  changed := false;
  if (select status from orders where id = p_order_id for update) not in (p_seen, 'rejected') then
    refusal := 'order_changed'; return;
  end if;
  if p_came is not null and (select watched from orders where id = p_order_id) then
    refusal := 'order_on_chain'; return;
  end if;
  if lies_in_escrow(p_order_id) then refusal := 'order_in_escrow'; return; end if;
  if (select may_be_paid_in_escrow(o.id) from orders o where o.id = p_order_id) then
    refusal := 'order_signed'; return;
  end if;
  select r.refusal, r.changed into reject_order_as_seen.refusal, reject_order_as_seen.changed
    from reject_order(p_order_id, p_operator_id, p_reason, p_request_id, p_came) r;
end $$;

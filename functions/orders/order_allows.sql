-- Whether the state of an order allows an action. The same table as `allowed` in src/shared/order-states.ts,
-- by which buttons are disabled: src/server/orders/order-states.test.ts compares them in every state, and the
-- guards with them. claim_refund is about the order's own money: a payment of a wrong coin is owed, and
-- claimed, in any state.
-- Rules: ORDER-17
create or replace function order_allows(
  p_action text, p_status text, p_detail text, p_hidden boolean, p_watched boolean
) returns boolean language sql immutable as $$
  select case p_action
    when 'approve' then p_status = 'pending' and not p_watched
    when 'reject' then p_status <> 'rejected'
      or (not p_watched and p_detail in ('rejected_by_operator', 'reversed'))
    when 'hide' then not p_hidden
      and ((p_status = 'rejected' and p_detail <> 'refund_due')
           or (p_status = 'pending' and p_detail in ('awaiting_payment', 'expired', 'refunded')))
    when 'enter_transaction_id' then
      p_status = 'pending' and not p_hidden and not p_watched and p_detail in ('awaiting_payment', 'expired')
    when 'claim_refund' then p_detail in ('refund_due', 'overpaid')
  end
$$;

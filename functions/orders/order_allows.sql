-- Returns whether an order's state allows an action, as `allowed` in src/shared/order-states.ts, which
-- disables buttons; src/server/orders/order-states.test.ts compares the two. The action claim_refund covers
-- the order's own money only: payments in a wrong coin are owed in any state. A rejected order at a fixed
-- address is rejected again to report money (is_reported).
-- Rules: ORDER-17
create or replace function order_allows(
  p_action text, p_status text, p_detail text, p_hidden boolean, p_watched boolean
) returns boolean language sql immutable as $$
  select case p_action
    when 'approve' then p_status = 'pending' and not p_watched
    when 'reject' then p_status <> 'rejected' or not p_watched
    when 'hide' then not p_hidden
      and ((p_status = 'rejected' and p_detail <> 'refund_due')
           or (p_status = 'pending' and p_detail in ('awaiting_payment', 'expired', 'refunded')))
    when 'enter_transaction_id' then
      p_status = 'pending' and not p_hidden and not p_watched and p_detail in ('awaiting_payment', 'expired')
    when 'claim_refund' then p_detail in ('refund_due', 'overpaid')
  end
$$;

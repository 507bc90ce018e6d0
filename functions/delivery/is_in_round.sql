-- Returns whether a delivery round lists tokens bought with this payment.
-- Rules: DELIVER-29
create or replace function is_in_round(p payments) returns boolean language sql stable as $$
  select p.credited > 0 and exists (
    select from delivery_round_parts where order_id = p.order_id and p.id = any(payment_ids))
$$;

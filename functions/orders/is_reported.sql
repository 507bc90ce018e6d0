-- Returns whether operators reported money for a rejected order at a fixed address, which they can do once.
-- Rules: REFUND-9
create or replace function is_reported(o orders) returns boolean language sql stable as $$
  select exists (select from refunds
                  where order_id = o.id and payment_id is null and reason = 'order_rejected')
$$;

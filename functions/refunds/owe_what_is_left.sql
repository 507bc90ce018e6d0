-- Owes what is left of the confirmed payments of an order first seen no later than p_until. Returns
-- whether anything is owed now that was not.
-- Rules: SETTLE-12
create or replace function owe_what_is_left(
  p_order orders, p_reason text, p_until timestamptz default 'infinity'
) returns boolean language plpgsql as $$
declare v_payment record; v_any boolean := false;
begin
  for v_payment in
    select id, amount - credited - owed as rest from payments
     where order_id = p_order.id and alive and confirmed and amount - credited - owed > 0
       and first_seen_at <= p_until
     order by id
  loop
    perform owe_refund(v_payment.id, p_order.user_id, v_payment.rest, p_reason);
    v_any := true;
  end loop;
  return v_any;
end $$;

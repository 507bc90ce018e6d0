-- Owes what is left of all confirmed payments of an order. Returns whether anything is owed now that was not.
create or replace function owe_what_is_left(p_order orders, p_reason text)
returns boolean language plpgsql as $$
declare v_payment record; v_any boolean := false;
begin
  for v_payment in
    select id, amount - credited - owed as rest from payments
     where order_id = p_order.id and alive and confirmed and amount - credited - owed > 0 order by id
  loop
    perform owe_refund(v_payment.id, p_order.user_id, v_payment.rest, p_reason);
    v_any := true;
  end loop;
  return v_any;
end $$;

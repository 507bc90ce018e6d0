-- Owes what is left of the confirmed payments of an order that count from no later than p_until. What the
-- word of an approval owes and stands is what the first of them brought, and not owed again. Returns whether
-- anything is owed now that was not.
-- Rules: SETTLE-12, REFUND-9
create or replace function owe_what_is_left(
  p_order orders, p_reason text, p_until timestamptz default 'infinity'
) returns boolean language plpgsql as $$
declare
  v_payment record; v_part numeric; v_any boolean := false;
  v_by_word numeric := coalesce((select trim_scale(sum(amount)) from refunds
    where order_id = p_order.id and payment_id is null and state <> 'written_off'), 0);
begin
  for v_payment in
    select id, amount - credited - owed as rest from payments
     where order_id = p_order.id and alive and confirmed and amount - credited - owed > 0
       and greatest(payment_counts_from(payments), p_order.declared_at) <= p_until
     order by id
  loop
    v_part := least(v_by_word, v_payment.rest);
    v_by_word := v_by_word - v_part;
    if v_payment.rest > v_part then
      perform owe_refund(v_payment.id, p_order.user_id, v_payment.rest - v_part, p_reason);
      v_any := true;
    end if;
  end loop;
  return v_any;
end $$;

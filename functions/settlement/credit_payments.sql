-- Credits the confirmed payments of an approved order with p_amount in all, oldest first, and nothing else.
-- Credited is what the coin has decimals for, because a finer rest could never be paid.
-- Rules: REFUND-7
create or replace function credit_payments(p_order orders, p_amount numeric)
returns void language plpgsql as $$
declare v_left numeric; v_payment record; v_part numeric;
begin
  update payments set credited = 0
   where order_id = p_order.id and credited > 0 and not (alive and confirmed);
  select case when scale(p_amount) > k.coin_decimals then trunc(p_amount, k.coin_decimals)
              else p_amount end into v_left
    from currencies k where k.id = p_order.currency_id;
  for v_payment in
    select id, amount - owed as whole from payments where order_id = p_order.id and alive and confirmed
     order by first_seen_at, id
  loop
    v_part := least(v_left, v_payment.whole);
    update payments set credited = v_part where id = v_payment.id and credited <> v_part;
    v_left := v_left - v_part;
  end loop;
end $$;

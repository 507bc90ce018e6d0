-- Credits the confirmed payments of an approved order with p_amount in all, oldest first, and nothing else.
-- Credited is what the coin has decimals for, because a finer rest could never be paid.
-- Rules: REFUND-7
create or replace function credit_payments(p_order_id bigint, p_amount numeric)
returns void language plpgsql as $$
declare o orders%rowtype; v_left numeric; v_paid numeric := 0; v_payment record; v_part numeric;
begin
  select * into o from orders where id = p_order_id;
  update payments set credited = 0
   where order_id = p_order_id and credited > 0 and not (alive and confirmed);
  select case when scale(p_amount) > k.coin_decimals then trunc(p_amount, k.coin_decimals)
              else p_amount end into v_left
    from currencies k where k.id = o.currency_id;
  for v_payment in
    select id, amount - owed as whole from payments where order_id = p_order_id and alive and confirmed
     order by first_seen_at, id
  loop
    v_part := least(v_left, v_payment.whole);
    update payments set credited = v_part where id = v_payment.id and credited <> v_part;
    v_left := v_left - v_part;
    v_paid := v_paid + v_payment.whole;
  end loop;
  perform note_order_event(o.id, 'settled', 'system', null, jsonb_build_object(
    'paid', v_paid::text, 'credited', p_amount::text, 'asked', (asked_of(o)).crypto_amount::text,
    'baseTokens', o.base_tokens::text, 'rate', o.rate::text));
end $$;

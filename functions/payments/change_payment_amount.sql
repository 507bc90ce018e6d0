-- Changes a payment's amount after a new report of the chain. First reverses the old amount's credit and
-- debt, as if the payment had failed. If that is impossible (refund sent, tokens claimed) and the new
-- amount is less, the payment keeps its amount and fails, for an operator to check. The new amount is
-- unconfirmed (refresh_payments); a written-off payment waits for operators again, and so does dust that
-- became more. Returns the order to settle; null for the same amount or no order.
-- Rules: SETTLE-4, SETTLE-16, SETTLE-32
create or replace function change_payment_amount(
  p_payment_id bigint, p_amount numeric, p_currency_id integer
) returns bigint language plpgsql as $$
declare p payments%rowtype; v_fault text;
begin
  select * into p from payments
   where id = p_payment_id and amount <> p_amount for update;
  if not found then return null; end if;
  if p.credited + p.owed > 0 then
    update payments set failed = true where id = p.id;
    perform settle_order(p.order_id);
  end if;
  update payments
     set amount = p_amount, currency_id = coalesce(p_currency_id, currency_id), verified_hash = null,
         confirmed = false, written_off_at = null, written_off_reason = null,
         fault = case when fault in ('wrong_asset', 'unmatched', 'dust')
                      then payment_fault(order_id, coalesce(p_currency_id, currency_id), p_amount, seen_at)
                      else fault end
   where id = p.id and credited + owed <= p_amount
  returning fault into v_fault;
  if v_fault in ('wrong_asset', 'unmatched') and (p.written_off_at is not null or p.fault = 'dust') then
    perform tell('payment_to_decide', p.order_id, p.user_id, jsonb_build_object('payment', p.id::text));
  end if;
  return p.order_id;
end $$;

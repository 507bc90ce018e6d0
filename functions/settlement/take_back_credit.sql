-- The chain took back what an approved order stands on: debits what it was credited with and makes it pending
-- again, with what was asked.
-- Answers false where the tokens are claimed already: then the order is under review.
-- Rules: SETTLE-16
create or replace function take_back_credit(o orders, p_lost numeric) returns boolean language plpgsql as $$
declare v_refusal text; a order_amounts := asked_of(o);
begin
  v_refusal := debit_order(o, null, 'payment_orphaned');
  if v_refusal is not null then
    perform set_order_detail(o.id, 'under_review', 'payment_lost',
                             jsonb_build_object('refusal', v_refusal, 'amount', p_lost::text));
    return false;
  end if;
  update payments set credited = 0 where order_id = o.id and credited > 0;
  update orders
     set status = 'pending', detail = 'under_review', approved_via = null, approved_at = null,
         updated_at = clock_timestamp(), asked = null,
         base_tokens = a.base_tokens, bonus_tokens = a.bonus_tokens, bonus_percent = a.bonus_percent,
         usd = a.usd, crypto_amount = a.crypto_amount, rate = a.rate
   where id = o.id;
  perform note_order_event(o.id, 'payment_lost', 'chain', null, jsonb_build_object('amount', p_lost::text));
  perform tell('order_changed', o.id, o.user_id);
  return true;
end $$;

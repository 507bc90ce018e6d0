-- Debits an approved order of what it was credited with and makes it pending again, with what was asked:
-- p_reason says why. Answers null, or why its tokens can't be taken back (debit_order) and changes nothing.
-- Rules: SETTLE-16
create or replace function take_back_credit(o orders, p_reason text) returns text language plpgsql as $$
declare v_refusal text := debit_order(o, null, p_reason); a order_amounts := asked_of(o);
begin
  if v_refusal is not null then return v_refusal; end if;
  update payments set credited = 0 where order_id = o.id and credited > 0;
  update orders
     set status = 'pending', detail = 'under_review', approved_via = null, approved_at = null,
         updated_at = clock_timestamp(), asked = null,
         base_tokens = a.base_tokens, bonus_tokens = a.bonus_tokens, bonus_percent = a.bonus_percent,
         usd = a.usd, crypto_amount = a.crypto_amount, rate = a.rate
   where id = o.id;
  return null;
end $$;

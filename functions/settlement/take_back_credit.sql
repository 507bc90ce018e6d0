-- The chain took back what an approved order stands on, or shows it so much later that it counts from then:
-- debits what it was credited with and makes it pending again, with what its quote was for, which it holds
-- if there is room. Answers false where the tokens are claimed already: then the order is under review.
-- Rules: SETTLE-16
create or replace function take_back_credit(o orders, p_lost numeric) returns boolean language plpgsql as $$
declare v_refusal text; q quotes%rowtype;
begin
  v_refusal := debit_order(o, null, 'payment_orphaned');
  if v_refusal is not null then
    perform set_order_detail(o.id, 'under_review', 'payment_lost',
                             jsonb_build_object('refusal', v_refusal, 'amount', p_lost::text));
    -- What only counts from later is there all the same.
    update payments set credited_from = payment_counts_from(payments)
     where order_id = o.id and credited > 0 and alive and block_height is not null;
    return false;
  end if;
  update payments set credited = 0 where order_id = o.id and credited > 0;
  select * into q from quotes where id = o.quote_id;
  -- It lies in the pools, which this transaction has locked.
  v_refusal := take_capacity(q.stage_id, q.usd, q.base_tokens, q.bonus_tokens);
  update orders
     set status = 'pending', detail = 'under_review', approved_via = null, approved_at = null,
         held = v_refusal is null, updated_at = clock_timestamp(),
         base_tokens = q.base_tokens, bonus_tokens = q.bonus_tokens, bonus_percent = q.bonus_percent,
         usd = q.usd, crypto_amount = q.crypto_amount, rate = q.rate
   where id = o.id;
  perform note_order_event(o.id, 'payment_lost', 'chain', null, jsonb_build_object('amount', p_lost::text));
  perform tell('order_changed', o.id, o.user_id);
  return true;
end $$;

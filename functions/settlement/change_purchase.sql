-- Sets an order to the purchase of its payments. Approves it, first reversing a different approval in the
-- same write. If nothing is bought any more, resets it to the ordered amounts. Publishes the outcome.
-- Rules: ORDER-18, SETTLE-10, SETTLE-16, REFER-5
create or replace function change_purchase(o orders, b judgement) returns void language plpgsql as $$
declare
  v_refusal text; v_is_approved boolean := o.status = 'approved';
  v_is_more boolean := b.base_tokens >= o.base_tokens; a order_amounts := asked_of(o);
begin
  if not v_is_approved and b.base_tokens = 0
     or (o.status, o.base_tokens, o.crypto_amount, o.rate)
        = ('approved', b.base_tokens, b.coins, b.rate) then
    return;
  end if;
  if v_is_approved then
    v_refusal := debit_order(o, null, case when v_is_more then 'paid_more' else 'payment_orphaned' end,
                             b.base_tokens, b.bonus_tokens);
    if v_refusal is not null then raise exception 'order % keeps its tokens: %', o.id, v_refusal; end if;
    if not v_is_more then
      perform take_back_referral(o, null, b.base_tokens);
      perform note_order_event(o.id, 'payment_lost', 'chain', null,
                               jsonb_build_object('baseTokens', (o.base_tokens - b.base_tokens)::text));
    end if;
  end if;
  if b.base_tokens = 0 then
    b := row(a.base_tokens, a.bonus_tokens, a.bonus_percent, a.usd, a.rate, a.crypto_amount,
             '{}')::judgement;
  end if;
  update orders
     set status = 'pending', approved_via = null, approved_at = null, updated_at = clock_timestamp(),
         base_tokens = b.base_tokens, bonus_tokens = b.bonus_tokens, bonus_percent = b.bonus_percent,
         usd = b.usd, crypto_amount = b.coins, rate = b.rate,
         asked = nullif(a, row(b.base_tokens, b.bonus_tokens, b.bonus_percent, b.usd, b.coins,
                               b.rate)::order_amounts)
   where id = o.id
     and (v_is_approved
          or (base_tokens, bonus_tokens, bonus_percent, usd, crypto_amount, rate) is distinct from
             (b.base_tokens, b.bonus_tokens, b.bonus_percent, b.usd, b.coins, b.rate));
  if b.credited <> '{}' then
    v_refusal := (
      select refusal from approve_orders(array[row(o.id, null, null, null, null)::approval], 'chain'));
    if v_refusal is not null then raise exception 'order % can''t be approved: %', o.id, v_refusal; end if;
    perform note_order_event(o.id, 'settled', 'system', null, jsonb_build_object(
      'credited', b.coins::text, 'asked', a.crypto_amount::text, 'baseTokens', b.base_tokens::text,
      'rate', b.rate::text));
  end if;
  perform tell(case when b.credited = '{}' then 'order_undone' when v_is_approved then 'order_adjusted'
                    else 'order_approved' end, o.id, o.user_id);
end $$;

-- Owes back what was paid for an order at a fixed address whose approval by an operator was taken back: the
-- amount asked, on the approval's word. Locks: order row (caller's). Returns whether it did.
-- Rules: REFUND-9
create or replace function owe_by_word(p_order_id bigint, p_reason text)
returns boolean language plpgsql as $$
declare r refunds%rowtype;
begin
  insert into refunds (payment_id, order_id, user_id, currency_id, chain, from_height, currency, amount, usd,
                       reason)
  select null, o.id, o.user_id, k.id, k.network, (select height from chains where name = k.network), k.code,
         case when scale(o.crypto_amount) > k.coin_decimals then trunc(o.crypto_amount, k.coin_decimals)
              else o.crypto_amount end, o.usd, p_reason
    from orders o join currencies k on k.id = o.currency_id
   where o.id = p_order_id
  on conflict (order_id) where payment_id is null and state <> 'written_off' do nothing
  returning * into r;
  if not found then return false; end if;
  perform post_refund(r, 'refund_owed');
  perform note_order_event(r.order_id, 'refund_owed', 'system', null,
    jsonb_build_object('amount', r.amount::text, 'currency', r.currency, 'reason', p_reason));
  perform tell('refund_owed', r.order_id, r.user_id, jsonb_build_object('refund', r.id::text));
  return true;
end $$;

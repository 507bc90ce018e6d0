-- A payment that had failed when it was first seen made no order. Where it stands now it belongs to the order
-- of its quote, which it makes if nobody confirmed it, and needs what that order asks for. The other
-- parameters are those of record_transfer. Returns the order, null where the payment has one or still fails.
-- Rules: ORDER-13
create or replace function give_payment_its_order(
  p_payment_id bigint, p_order_token text, p_second_above_usd numeric
) returns bigint language plpgsql as $$
declare p payments%rowtype; o orders%rowtype; v_order_id bigint; v_usd numeric; v_rule record;
begin
  select * into p from payments where id = p_payment_id and order_id is null and alive;
  if not found then return null; end if;
  select order_of_quote(q.id, p_order_token) into v_order_id from quotes q
   where q.address = p.address and q.watched;
  select * into o from orders where id = v_order_id;
  v_usd := greatest(o.usd, usd_of_coin(p.amount, o.rate, o.price_usd));
  select * into v_rule from confirmations_needed(p.chain, v_usd);
  update payments
     set order_id = o.id, confirmations_needed = greatest(confirmations_needed, v_rule.needed),
         needs_finalized = needs_finalized or v_rule.finalized,
         needs_second = needs_second or coalesce(v_usd > p_second_above_usd, false)
   where id = p.id;
  perform note_order_event(o.id, 'payment_seen', 'chain', null,
    jsonb_build_object('transactionId', p.transaction_id, 'amount', p.amount::text));
  return o.id;
end $$;

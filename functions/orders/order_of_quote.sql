-- The order of the quote whose address was paid. The usual way where that is open; else an order that holds
-- nothing, so that the money has a place: it settles as late, or is owed back. Nobody has confirmed it: its
-- buyer has to declare what Confirm asks for (declare_order). It takes its place with what is paid, so that a
-- little of it holds nothing. Returns the order's id.
-- Rules: ORDER-13, ORDER-14
create or replace function order_of_quote(p_quote_id text, p_token text) returns bigint language plpgsql as $$
declare q quotes%rowtype; v_made record; v_order_id bigint;
begin
  select * into q from quotes where id = p_quote_id;
  perform queue_up(q.user_id);
  select * into q from quotes where id = p_quote_id for update;
  if q.order_id is not null then return q.order_id; end if;
  update quotes set not_held = 'payment' where id = q.id;
  select * into v_made from create_orders(
    array[row(q.user_id, q.id, p_token, null, null, '{"via": "payment"}')::order_request], null);
  if v_made.refusal is null then
    update orders
       set declarations = '{"via": "payment"}', declare_by = clock_timestamp() + (settlement_rules()).declare
     where id = v_made.order_id;
    perform note_order_event(v_made.order_id, 'made_by_payment', 'chain');
    return v_made.order_id;
  end if;
  insert into orders (token, user_id, quote_id, currency_id, currency, stage_id, detail, held, base_tokens,
                      bonus_tokens, bonus_percent, crypto_amount, usd, price_usd, rate, address, watched,
                      declarations, declare_by, expires_at)
  select p_token, q.user_id, q.id, q.currency_id, k.code, q.stage_id, 'expired', false, q.base_tokens,
         q.bonus_tokens, q.bonus_percent, q.crypto_amount, q.usd, q.price_usd, q.rate,
         shown_address(q), q.watched,
         '{"via": "payment"}', clock_timestamp() + (settlement_rules()).declare,
         least(q.expires_at, s.ends_at)
    from currencies k, stages s where k.id = q.currency_id and s.id = q.stage_id
  returning id into v_order_id;
  update quotes set order_id = v_order_id, not_held = q.not_held where id = q.id;
  perform note_order_event(v_order_id, 'made_by_payment', 'chain', null,
    jsonb_build_object('refusal', v_made.refusal));
  perform tell('order_created', v_order_id, q.user_id);
  return v_order_id;
end $$;

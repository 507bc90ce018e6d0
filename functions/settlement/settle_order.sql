-- Brings an order to what its payments say. Running it again changes nothing. One transaction, locks: order
-- row → pools → holdings. Returns the order's detail, null where there is no such order.
-- Rules: SETTLE-1
create or replace function settle_order(p_order_id bigint) returns text language plpgsql as $$
declare o orders%rowtype; v_payments judged_payment[]; v_now timestamptz;
begin
  select * into o from orders where id = p_order_id for update;
  if not found then return null; end if;
  perform write_off_refunds(o.id);
  v_payments := payments_to_judge(o);
  if o.sent_at is null and v_payments <> '{}' then
    perform note_order_sent(o.id);
  end if;
  -- What the job does with every order of such a sale.
  if o.status = 'approved' and soft_cap_verdict_held() = 'missed' then
    perform reject_order(o.id, null, 'soft_cap_missed', null);
    select * into o from orders where id = p_order_id;
    if o.status = 'rejected' then return o.detail; end if;
  end if;
  if o.watched then
    perform settle_payments(o, v_payments);
  end if;
  select * into o from orders where id = p_order_id;
  v_now := clock_timestamp();
  perform refresh_order(o, null, jsonb_strip_nulls(jsonb_build_object(
    'paid', (select sum(amount) from unnest(v_payments))::text,
    'asked', case when v_payments <> '{}' then (asked_of(o)).crypto_amount::text end)), v_now);
  select * into o from orders where id = p_order_id;
  update orders set settle_at = settle_again_at(o, v_now), settle_failures = 0, settle_error = null
   where id = o.id and (settle_at is distinct from settle_again_at(o, v_now) or settle_error is not null);
  return o.detail;
end $$;

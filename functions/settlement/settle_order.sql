-- Settles an order by its payments; idempotent. Does nothing if there is no such order. Locks, in one
-- transaction: order row → pools → holdings.
-- Rules: SETTLE-1
create or replace function settle_order(p_order_id bigint) returns void language plpgsql as $$
declare o orders%rowtype; v_payments judged_payment[];
begin
  select * into o from orders where id = p_order_id for update;
  if not found then return; end if;
  perform write_off_refunds(o.id);
  v_payments := payments_to_judge(o);
  if o.sent_at is null
     and not is_too_little(o, (select sum(x.amount - x.owed) from unnest(v_payments) x), null) then
    perform note_order_sent(o.id);
  end if;
  -- Same as the job's treatment of every order of such a sale.
  if o.status = 'approved' and soft_cap_verdict_held() = 'missed' then
    perform reject_order(o.id, null, 'soft_cap_missed', null);
    select * into o from orders where id = p_order_id;
    if o.status = 'rejected' then return; end if;
  end if;
  if o.watched then
    perform settle_payments(o, v_payments);
  end if;
  perform show_again(p_order_id);
  update orders set updated_at = clock_timestamp(), settle_at = null, settle_failures = 0, settle_error = null
   where id = p_order_id;
  perform tell('order_changed', p_order_id, o.user_id);
end $$;

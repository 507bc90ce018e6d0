-- Cancels an order of the buyer while nothing is paid. Returns null, order_unknown, order_not_cancellable or
-- order_signed (what was signed of it may still be paid). Operators hear of it only if they know the order.
-- Rules: ORDER-15, DELIVER-25
create or replace function cancel_order(p_user_id bigint, p_token text) returns text language plpgsql as $$
declare o orders%rowtype;
begin
  select * into o from orders where token = p_token and user_id = p_user_id for update;
  if not found then return 'order_unknown'; end if;
  if o.detail = 'cancelled' then return null; end if;
  if not order_allows('cancel', o.status, o.detail, o.hidden, o.watched) then
    return 'order_not_cancellable';
  end if;
  if may_be_paid_in_escrow(o.id) or is_in_escrow(o.id) then return 'order_signed'; end if;
  update orders set status = 'rejected', detail = 'cancelled', held = false, updated_at = clock_timestamp()
   where id = o.id;
  if o.held then
    perform release_capacity(o.stage_id, o.usd, o.base_tokens, o.bonus_tokens);
  end if;
  perform note_order_event(o.id, 'cancelled', 'buyer');
  perform tell(case when o.sent_at is null then 'order_changed' else 'order_cancelled' end, o.id, o.user_id);
  if exists (select 1 from payments where order_id = o.id) then
    perform settle_order(o.id);
  end if;
  return null;
end $$;

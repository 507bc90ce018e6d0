-- The chain took back what an approved order stands on. Answers whether it waits again; false where its
-- tokens are delivered already: then it is under review.
-- Rules: SETTLE-16
create or replace function lose_credit(o orders, p_lost numeric) returns boolean language plpgsql as $$
declare v_refusal text := take_back_credit(o, 'payment_orphaned');
begin
  if v_refusal is not null then
    perform set_order_detail(o.id, 'under_review', 'payment_lost',
                             jsonb_build_object('refusal', v_refusal, 'amount', p_lost::text));
    return false;
  end if;
  perform note_order_event(o.id, 'payment_lost', 'chain', null, jsonb_build_object('amount', p_lost::text));
  perform tell('order_changed', o.id, o.user_id);
  return true;
end $$;

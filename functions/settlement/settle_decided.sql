-- What the payments of an approved or rejected order brought beyond what it stands on is owed back, and its
-- detail says whether any of that is still open. Returns the detail.
-- Rules: SETTLE-1, SETTLE-12
create or replace function settle_decided(o orders, s settlement) returns text language plpgsql as $$
declare v_detail text;
begin
  perform owe_what_is_left(o, s.owed_because);
  perform write_final_states(o.id);
  v_detail := detail_by_refunds(o);
  perform set_order_detail(o.id, v_detail, case when v_detail in ('refund_due', 'refunded', 'overpaid')
                                                then v_detail else 'payment_gone' end, '{}');
  return v_detail;
end $$;

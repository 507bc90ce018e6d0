-- What the payments of an approved or rejected order brought beyond what it stands on is owed back, and its
-- detail says whether any of that is still open. Behind an operator's approval the payments are credited as
-- they are confirmed, up to the amount asked; to a rejected order nothing is, and what a chain shows of it is
-- owed instead of what its approval's word said, once it is as much: anybody can send a little. Returns the
-- detail.
-- Rules: SETTLE-1, SETTLE-10, SETTLE-13, REFUND-9
create or replace function settle_decided(o orders, s settlement) returns text language plpgsql as $$
declare v_detail text;
begin
  if s.act = 'refuse'
     and (select sum(amount) from payments where order_id = o.id and alive and confirmed)
         >= (select amount from refunds
              where order_id = o.id and payment_id is null and state <> 'written_off') then
    perform write_off_word(o.id);
  end if;
  if s.act in ('follow', 'refuse') then
    perform credit_payments(o, coalesce(s.credited, 0));
  end if;
  perform owe_what_is_left(o, s.owed_because);
  perform write_final_states(o.id);
  v_detail := detail_by_refunds(o);
  perform set_order_detail(o.id, v_detail, case when v_detail in ('refund_due', 'refunded', 'overpaid')
                                                then v_detail else 'payment_gone' end, '{}');
  return v_detail;
end $$;

-- What the payments of an approved or rejected order brought beyond what it stands on is owed back, and its
-- detail says whether any of that is still open. Behind an operator's approval the payments are credited as
-- they are confirmed, up to the amount asked; to a rejected order nothing is, and what a chain shows of it is
-- owed instead of what its approval's word said. Returns the detail.
create or replace function settle_decided(o orders, s settlement) returns text language plpgsql as $$
declare v_detail text; v_refunds text;
begin
  if s.act = 'refuse' and exists (select from payments where order_id = o.id and alive and confirmed) then
    perform write_off_word(o.id);
  end if;
  v_refunds := refunds_of_order(o.id);
  -- What is owed by word alone leaves a rejected order as it is: it can still be approved.
  if s.act = 'refuse' and v_refunds = 'open' and not exists (
    select from refunds where order_id = o.id and payment_id is not null and state <> 'written_off') then
    v_refunds := null;
  end if;
  if s.act in ('follow', 'refuse') then
    perform credit_payments(o, coalesce(s.credited, 0));
  end if;
  if owe_what_is_left(o, s.owed_because) then
    v_refunds := 'open';
  end if;
  v_detail := case when s.act = 'refuse' and v_refunds is not null
                   then case v_refunds when 'open' then 'refund_due' else 'refunded' end
                   when v_refunds = 'open' then 'overpaid'
                   else detail_without_refunds(o) end;
  perform set_order_detail(o.id, v_detail, case when v_refunds is null then 'payment_gone' else v_detail end,
                           '{}');
  return v_detail;
end $$;

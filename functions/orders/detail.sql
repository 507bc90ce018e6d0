-- Returns the order's detailed state at p_now, from its payments and refunds; it is not stored. SQL reads the
-- present one like a column: o.detail. Refunds are open if money of the order is owed back, paid if it was;
-- payments in another coin are left out, and a return by an escrow counts as paid.
-- Rules: SETTLE-16, REFUND-13
create or replace function detail(o orders, p_now timestamptz default clock_timestamp()) returns text
language plpgsql stable as $$
declare v_refunds text; v_is_mined boolean;
begin
  select case when bool_or(r.state <> 'paid') then 'open'
              when count(*) > 0 or exists (select from payments
                                            where order_id = o.id and fault = 'returned') then 'paid' end
    into v_refunds
    from refunds r left join payments p on p.id = r.payment_id
   where r.order_id = o.id and r.state <> 'written_off' and p.fault is null;
  if o.status = 'rejected' then
    return case when v_refunds = 'open' then 'refund_due' when v_refunds = 'paid' then 'refunded'
                when o.approvals > 0 then 'reversed' else 'rejected_by_operator' end;
  end if;
  if o.status = 'approved' then
    return case
      when exists (select from payments p
                    where p.order_id = o.id and p.credited > 0 and (not p.alive or p.block_height is null))
      then 'under_review'
      when v_refunds = 'open' then 'overpaid'
      when o.approved_via = 'operator' then 'approved_by_operator'
      -- A refunded part had no room, so the missing part would have none either.
      when v_refunds is null and o.base_tokens < (asked_of(o)).base_tokens and p_now < o.expires_at
      then 'underpaid'
      else 'credited' end;
  end if;
  -- A counted payment, neither credited nor owed, still waits to be settled.
  v_is_mined := (select bool_or(p.block_height is not null) from payments p
                  where p.order_id = o.id and p.alive and p.amount > p.owed
                    and not is_too_little(o, p.amount, coalesce(p.late_rate, late_rate_of(p)))
                    and (p.block_height is not null
                         or p.seen_at + (settlement_rules()).confirm_within > p_now));
  return case
    when v_is_mined then 'confirming' when v_is_mined is not null then 'seen'
    when v_refunds = 'open' then 'refund_due' when v_refunds = 'paid' then 'refunded'
    -- A reorg removed the order's payment, which may come back.
    when exists (
      select from payments p
       where p.order_id = o.id and p.orphaned_at is not null and p.fault is null
         and not p.failed and p.replaced_by is null
         and not is_too_little(o, p.amount, coalesce(p.late_rate, late_rate_of(p))))
    then 'under_review'
    when p_now < o.expires_at then 'awaiting_payment'
    when o.escrow_id is not null and may_be_paid_in_escrow(o.id) then 'awaiting_payment'
    else 'expired' end;
end $$;

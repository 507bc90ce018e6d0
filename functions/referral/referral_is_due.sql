-- Whether an order's approval is final: on chains every payment that it stands on is there and final, in an
-- escrow its tokens are delivered, because until then the money may go back; and an approval by an operator
-- is p_hand_days old. Nothing is due in a sale that missed its soft cap.
-- Rules: REFER-4
create or replace function referral_is_due(o orders, p_hand_days integer) returns boolean
language sql stable as $$
  select o.status = 'approved'
     and not exists (select from campaign where soft_cap_verdict = 'missed')
     and case o.approved_via
           when 'operator' then o.approved_at <= clock_timestamp() - make_interval(days => p_hand_days)
           else not exists (
             select from payments
              where order_id = o.id and credited > 0 and (final_at is null or not alive))
         and (o.escrow_id is null or exists (
             select from escrow_looks l where l.escrow_id = o.escrow_id and l.state = 'delivered')) end
$$;

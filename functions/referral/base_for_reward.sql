-- Returns the base tokens of a friend's order that count for a reward: the purchase of its final payments; of
-- an operator's approval all, once it is p_hand_days old. Zero if the order is not approved, the buyer may
-- still take it back, or the soft cap was missed; in an escrow until delivery, because the money may still be
-- returned, and once a block returns it.
-- Rules: REFER-4, BACK-3
create or replace function base_for_reward(o orders, p_hand_days integer) returns numeric
language sql stable as $$
  select case
    when o.status <> 'approved' or exists (select from campaign where soft_cap_verdict = 'missed')
      or money_back_until(o) > clock_timestamp() then 0
    when o.approved_via = 'operator' then
      case when o.approved_at <= clock_timestamp() - make_interval(days => p_hand_days)
           then o.base_tokens else 0 end
    when o.escrow_id is not null and (
      not exists (select from escrow_looks l where l.escrow_id = o.escrow_id and l.state = 'delivered')
      or exists (select from payments p where p.order_id = o.id and p.returned_height is not null)) then 0
    else least(o.base_tokens, (final_purchase(o)).base_tokens) end
$$;

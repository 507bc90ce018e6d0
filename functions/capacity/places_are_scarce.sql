-- Whether unpaid orders hold more than half of what a stage has left, once they hold p_usd more: then new
-- orders are made without a hold. Left is the goal less what is approved and what is held with its payment
-- seen; of that, what is free is not held. While half of the goal is free nothing else is read.
-- Rules: HOLD-3
create or replace function places_are_scarce(p_stage integer, p_usd numeric)
returns boolean language plpgsql as $$
declare
  v_goal numeric; v_free numeric; v_left numeric;
  v_free_share numeric := 1 - (settlement_rules()).unpaid_share;
begin
  select s.goal_usd, c.pool_usd - p_usd into v_goal, v_free
    from stages s join stage_capacity c on c.stage_id = s.id where s.id = p_stage;
  if v_free >= v_goal * v_free_share then return false; end if;
  select v_free + coalesce(sum(usd), 0) into v_free from capacity_slots where stage_id = p_stage;
  if v_free >= v_goal * v_free_share then return false; end if;
  select v_goal - coalesce(sum(raised_on_chain_usd + raised_by_operator_usd), 0) into v_left
    from sale_totals where stage_id = p_stage;
  select v_left - coalesce(sum(usd), 0) into v_left
    from orders where stage_id = p_stage and held and detail not in ('awaiting_payment', 'underpaid');
  return coalesce(v_free < v_left * v_free_share, false);
end $$;

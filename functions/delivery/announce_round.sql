-- Announces the next round; p_plan has the operator's columns of delivery_rounds and the delivery plan's
-- network, which the caller has locked. Refusals: delivery_chain_missing, round_open (another round is
-- announced), round_too_early (less than 72 hours to the freeze), round_cut (the cut is later than the
-- freeze).
-- Rules: DELIVER-8
create or replace function announce_round(
  p_plan delivery_rounds, p_operator_id bigint, out refusal text, out number integer
) language plpgsql as $$
declare v_now timestamptz := clock_timestamp();
begin
  if num_nulls(p_plan.network, p_plan.chain_id) > 0 then
    refusal := 'delivery_chain_missing'; return;
  end if;
  -- Concurrent announcements wait here.
  lock table delivery_rounds in share row exclusive mode;
  if exists (select from delivery_rounds r where r.state = 'announced') then
    refusal := 'round_open'; return;
  end if;
  if p_plan.freeze_from < v_now + make_interval(hours => (delivery_rules()).notice_hours) then
    refusal := 'round_too_early'; return;
  end if;
  if p_plan.cut_at > p_plan.freeze_from then refusal := 'round_cut'; return; end if;
  select coalesce(max(r.number), 0) + 1 into announce_round.number from delivery_rounds r;
  insert into delivery_rounds (
    number, cut_at, freeze_from, starts_at, start_bps, cliff_seconds, linear_seconds, leftover_to,
    network, chain_id, announced_by)
  values (announce_round.number, p_plan.cut_at, p_plan.freeze_from, p_plan.starts_at, p_plan.start_bps,
          p_plan.cliff_seconds, p_plan.linear_seconds, p_plan.leftover_to, p_plan.network,
          p_plan.chain_id, p_operator_id);
end $$;

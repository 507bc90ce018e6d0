-- Announces the terms of a stage's escrow; p_plan has the columns of escrow_plans. Refusals: not_found (the
-- stage), stage_closed, escrow_money_back (the sale gives money back, which no contract does), escrow_open
-- (the stage has an escrow on this chain already), escrow_times (the contract would reject them).
-- Rules: DELIVER-15, DELIVER-16
create or replace function announce_escrow(
  p_plan escrow_plans, p_operator_id bigint, out refusal text, out number integer
) language plpgsql as $$
declare p escrow_plans := p_plan; s stages; v_now timestamptz := clock_timestamp();
begin
  -- Concurrent announcements wait here.
  lock table escrow_plans in share row exclusive mode;
  select * into s from stages where id = p.stage_id;
  if not found then refusal := 'not_found'; return; end if;
  if s.ends_at <= v_now then refusal := 'stage_closed'; return; end if;
  if exists (select from campaign c where gives_money_back(c)) then
    refusal := 'escrow_money_back'; return;
  end if;
  if exists (select from escrow_plans e
              where e.stage_id = p.stage_id and e.chain = p.chain and e.state <> 'withdrawn') then
    refusal := 'escrow_open'; return;
  end if;
  if p.closes_at <= v_now or p.closes_at > v_now + interval '366 days'
     or p.deliver_by < p.closes_at + make_interval(secs => p.review_seconds) + interval '1 day'
     or p.deliver_by > p.closes_at + interval '180 days' then
    refusal := 'escrow_times'; return;
  end if;
  select coalesce(max(e.number), 0) + 1 into announce_escrow.number from escrow_plans e;
  p.number := announce_escrow.number;
  p.state := 'announced';
  p.escrow_id := null;
  p.announced_at := v_now;
  p.announced_by := p_operator_id;
  insert into escrow_plans select p.*;
end $$;

-- Decides for good whether a sale that pays back below its soft cap has reached it, by the USD raised at
-- p_now, once soft_cap_waits_for is over. Locks the campaign: a concurrent credit or debit is either counted
-- or sees the verdict (soft_cap_verdict_held).
-- Rules: REFUND-10
create or replace function decide_soft_cap(p_now timestamptz) returns void language plpgsql as $$
declare v_raised numeric; v_on_chain numeric;
begin
  -- Without an order there was no sale yet; past stages of a draft decide nothing.
  if not exists (select from orders) then return; end if;
  -- Checked before locking, because usually there is nothing to decide.
  if (select is_over from soft_cap_waits_for(p_now)) is not true then return; end if;
  perform from campaign for update;
  if (select is_over from soft_cap_waits_for(p_now)) is not true then return; end if;
  select coalesce(sum(raised_on_chain_usd + raised_by_operator_usd), 0), coalesce(sum(raised_on_chain_usd), 0)
    into v_raised, v_on_chain from sale_totals;
  update campaign
     set soft_cap_verdict = case when v_raised >= (settings ->> 'softCapUsd')::numeric then 'reached'
                                 else 'missed' end,
         soft_cap_decided_at = p_now, soft_cap_raised_usd = v_raised,
         soft_cap_raised_on_chain_usd = v_on_chain,
         soft_cap_posting_id = (select coalesce(max(id), 0) from postings);
  perform tell('campaign_changed', null, null);
end $$;

-- Notes, once and for good, that the last stage has ended below the soft cap of a sale that pays back then.
-- What orders of the sale still hold counts as raised until each is decided, and what may still be theirs
-- though they hold nothing (may_still_be_paid_usd). Answers whether the soft cap is missed.
-- Rules: REFUND-10
create or replace function note_missed_soft_cap() returns boolean language plpgsql as $$
declare v_raised numeric; v_on_chain numeric; v_held numeric;
begin
  if exists (select from campaign where soft_cap_missed_at is not null) then return true; end if;
  if not exists (select from campaign where settings ->> 'softCapPolicy' = 'refund')
     or not exists (select from stages)
     or exists (select from stages where ends_at > clock_timestamp()) then
    return false;
  end if;
  select coalesce(sum(raised_on_chain_usd + raised_by_operator_usd), 0), coalesce(sum(raised_on_chain_usd), 0)
    into v_raised, v_on_chain from sale_totals;
  if v_raised >= (select (settings ->> 'softCapUsd')::numeric from campaign) then return false; end if;
  select sum(usd) - v_raised into v_held from taken_capacity();
  if v_raised + v_held < (select (settings ->> 'softCapUsd')::numeric from campaign) then
    v_held := v_held + may_still_be_paid_usd();
  end if;
  update campaign set soft_cap_missed_at = clock_timestamp(), soft_cap_raised_usd = v_raised,
                      soft_cap_raised_on_chain_usd = v_on_chain
   where soft_cap_missed_at is null and v_raised + v_held < (settings ->> 'softCapUsd')::numeric;
  if not found then return false; end if;
  perform tell('campaign_changed', null, null);
  return true;
end $$;

-- Decides once, for good, whether a sale that pays back below its soft cap has reached it. Reached: credited
-- orders come to at least the soft cap 24 hours or more after the last stage. Missed: the last stage has
-- ended, and what orders hold or may still be paid (may_still_be_paid_usd) can't reach it. For 7 days a
-- payment in a block of a pending order postpones that. Returns whether the soft cap is missed.
-- Rules: REFUND-10
create or replace function note_missed_soft_cap() returns boolean language plpgsql as $$
declare c campaign%rowtype; v_cap numeric; v_ended_at timestamptz; v_raised numeric; v_on_chain numeric;
begin
  select * into c from campaign;
  if c.soft_cap_missed_at is not null then return true; end if;
  select max(ends_at) into v_ended_at from stages;
  if c.soft_cap_reached_at is not null or c.settings ->> 'softCapPolicy' is distinct from 'refund'
     or v_ended_at is null or v_ended_at > clock_timestamp() then
    return false;
  end if;
  v_cap := (c.settings ->> 'softCapUsd')::numeric;
  select coalesce(sum(raised_on_chain_usd + raised_by_operator_usd), 0), coalesce(sum(raised_on_chain_usd), 0)
    into v_raised, v_on_chain from sale_totals;
  if v_raised >= v_cap then
    update campaign set soft_cap_reached_at = clock_timestamp()
     where soft_cap_missed_at is null and v_ended_at <= clock_timestamp() - interval '24 hours';
    return false;
  end if;
  if (select sum(usd) from taken_capacity()) + may_still_be_paid_usd() >= v_cap
     or v_ended_at > clock_timestamp() - interval '7 days' and exists (
       select from payments p join orders o on o.id = p.order_id
        where o.status = 'pending' and p.alive and p.block_height is not null and p.amount > p.owed) then
    return false;
  end if;
  update campaign set soft_cap_missed_at = clock_timestamp(), soft_cap_raised_usd = v_raised,
                      soft_cap_raised_on_chain_usd = v_on_chain
   where soft_cap_missed_at is null and soft_cap_reached_at is null;
  if not found then return false; end if;
  perform tell('campaign_changed', null, null);
  return true;
end $$;

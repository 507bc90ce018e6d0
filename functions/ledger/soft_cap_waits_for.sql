-- What the verdict about the soft cap waits for at p_now. All is null unless the sale pays back below its
-- cap, its last stage is over, and there is no verdict yet.
--   approvals_until: the verdict waits that long for approvals
--   chains: those in use whose blocks, or balances of addresses, are not read past the end + 3 hours
--   payments: how many that a block held by then are neither counted, with their order settled, nor gone
--   latest_at: from then on nothing is waited for
--   is_over: nothing is waited for
-- Rules: REFUND-10
create or replace function soft_cap_waits_for(
  p_now timestamptz, out approvals_until timestamptz, out latest_at timestamptz, out chains text[],
  out payments integer, out is_over boolean
) language plpgsql stable as $$
declare v_ended_at timestamptz; v_blocks_until timestamptz;
begin
  perform from campaign where settings ->> 'softCapPolicy' = 'refund' and soft_cap_verdict is null;
  if not found then return; end if;
  select max(ends_at) into v_ended_at from stages;
  if coalesce(v_ended_at > p_now, true) then return; end if;
  v_blocks_until := v_ended_at + interval '3 hours';
  approvals_until := v_ended_at + interval '24 hours';
  latest_at := v_ended_at + interval '7 days';
  select coalesce(array_agg(c.name order by c.name), '{}') into soft_cap_waits_for.chains
    from chains c
   where (exists (select from currencies k where k.network = c.name and k.watched)
          or exists (select from wallet_addresses a join currencies k on k.id = a.currency_id
                      where k.network = c.name))
     and (not exists (select from chain_blocks b where b.chain = c.name and b.mined_at > v_blocks_until)
          -- Coins that a contract sent show in a balance alone.
          or coalesce(c.balances_read_to <= v_blocks_until, true) and c.family = 'evm'
             and exists (select from wallet_addresses a join currencies k on k.id = a.currency_id
                          where a.wallet_id is not null and k.network = c.name
                            and coalesce(k.token_contract, '') = ''));
  -- What is counted waits as long as its order is not settled: it was put off then.
  select count(*) into soft_cap_waits_for.payments
    from (select from payments p
           where p.final_at is null and p.order_id is not null and p.fault is null and not p.failed
             and p.replaced_by is null and not p.confirmed
             -- Another block may hold it later than the one that held it first.
             and (least(p.mined_at, p.first_seen_at) <= v_blocks_until
                  or p.orphaned_at is not null and p.seen_at <= v_blocks_until)
          union all
          select from orders o join payments p on p.order_id = o.id
           where o.settle_error is not null and o.status <> 'rejected' and p.confirmed and p.alive
             and p.amount > p.credited + p.owed
             and least(p.mined_at, p.first_seen_at) <= v_blocks_until) undecided;
  is_over := p_now >= latest_at or (p_now >= approvals_until and chains = '{}' and payments = 0);
end $$;

-- Returns what the soft cap's verdict waits for at p_now; nulls unless the sale pays back below its cap, its
-- last stage is over, and there is no verdict yet. Operators may approve until approvals_until. chains: those
-- in use whose blocks, or balances of addresses, are not read past the end + 3 hours. payments: those in a
-- block by then that are neither counted and settled nor gone. After latest_at the verdict waits no longer;
-- with is_over it can be given.
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
          -- Coins sent by a contract appear in a balance only.
          or coalesce(c.balances_read_to <= v_blocks_until, true) and c.family = 'evm'
             and exists (select from wallet_addresses a join currencies k on k.id = a.currency_id
                          where a.wallet_id is not null and k.network = c.name
                            and coalesce(k.token_contract, '') = ''));
  -- A counted payment waits too if settling its order was put off.
  select count(*) into soft_cap_waits_for.payments
    from (select from payments p
           where p.final_at is null and p.order_id is not null and p.fault is null and not p.failed
             and p.replaced_by is null and not p.confirmed
             -- A reorg may have moved the payment to a later block than its first.
             and (least(p.mined_at, p.first_seen_at) <= v_blocks_until
                  or p.orphaned_at is not null and p.seen_at <= v_blocks_until)
          union all
          select from orders o join payments p on p.order_id = o.id
           where o.settle_error is not null and o.status <> 'rejected' and p.confirmed and p.alive
             and p.amount > p.credited + p.owed
             and least(p.mined_at, p.first_seen_at) <= v_blocks_until) undecided;
  is_over := p_now >= latest_at or (p_now >= approvals_until and chains = '{}' and payments = 0);
end $$;

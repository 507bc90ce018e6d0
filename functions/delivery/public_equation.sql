-- Returns the sold, bonus and granted tokens by debtor: the distributor of each frozen round, each escrow,
-- and tokens in no round yet (held).
-- Column `shown`: tokens that the contract held and had paid out, or that an escrow owed, in the final block
-- `height`.
-- Column `waiting`: tokens that an escrow owed for payments that the sale does not count, or not yet.
-- Column `holds`: null if no chain has to prove the row, or if none can now. Then `unknown` says why: `stale`
-- (a block older than three hours) or `nodes_disagree`. A fault stays false.
-- The last row, `ledger`, has the parameters: the public figures (`equationArguments` in
-- src/shared/figures.ts). It holds if the rows above add up to it, column by column.
-- Rules: DELIVER-12, DELIVER-21
create or replace function public_equation(all_purchased numeric, all_bonus numeric, all_granted numeric)
returns table (kind text, place integer, name text, purchased numeric, bonus numeric, granted numeric,
               shown numeric, waiting numeric, height bigint, mined_at timestamptz, looked_at timestamptz,
               unknown text, holds boolean)
language sql stable as $$
  with in_escrows as materialized (
    select o.escrow_id, i.purchased, i.bonus, p.block_height
      from orders_in_escrows() i join orders o on o.id = i.order_id
      join lateral (select min(p.block_height) as block_height from payments p
                     where p.order_id = o.id and p.address = o.place and p.alive) p on true),
  parts as (
    select 'distributor' as kind, f.round as place, null as name, f.purchased, f.bonus, f.granted,
           (l.balance + l.claimed) / 1e18 as shown, null::numeric as waiting,
           l.height, l.mined_at, l.looked_at, l.failure, l.fault
      from delivery_round_files f left join delivery_looks l on l.round = f.round
    union all
    select 'escrow', e.id, s.name, coalesce(sum(i.purchased), 0), coalesce(sum(i.bonus), 0), 0, l.owed / 1e18,
           l.promised / 1e18 - coalesce(
             sum(i.purchased + i.bonus) filter (where i.block_height <= l.height), 0),
           l.height, l.mined_at, l.looked_at, l.failure, l.fault
      from escrows e join stages s on s.id = e.stage_id left join escrow_looks l on l.escrow_id = e.id
      left join in_escrows i on i.escrow_id = e.id
     group by e.id, s.name, l.escrow_id
    union all
    select 'held', null, null, h.purchased - i.purchased, h.bonus - i.bonus, h.granted,
           null, null, null, null, null, null, null
      from (select coalesce(sum(purchased_tokens - allocated_purchased), 0) as purchased,
                   coalesce(sum(bonus_tokens - allocated_bonus), 0) as bonus,
                   coalesce(sum(granted_tokens - allocated_granted), 0) as granted from holdings) h,
           (select coalesce(sum(purchased), 0) as purchased, coalesce(sum(bonus), 0) as bonus
              from in_escrows) i),
  added as (
    select sum(p.purchased) as purchased, sum(p.bonus) as bonus, sum(p.granted) as granted,
           min(least(p.purchased, p.bonus, p.granted)) as least from parts p)
  select p.kind, p.place, p.name, p.purchased, p.bonus, p.granted, p.shown, p.waiting, p.height, p.mined_at,
         p.looked_at, u.unknown, case when p.fault is not null then false
                                      when p.height is not null and u.unknown is null then true end
    from parts p cross join lateral (
      select case when p.fault is not null then null
                  when p.failure = 'nodes_disagree' then p.failure
                  when p.mined_at < clock_timestamp() - interval '3 hours' then 'stale' end as unknown) u
  union all
  select 'ledger', null, null, all_purchased, all_bonus, all_granted, null, null, null, null, null, null,
         (all_purchased, all_bonus, all_granted) = (a.purchased, a.bonus, a.granted) and a.least >= 0
    from added a
$$;

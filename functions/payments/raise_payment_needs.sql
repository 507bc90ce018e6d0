-- Raises the confirmations, finality and second node that payments need, until they are credited, owed or
-- written off. A payment's USD: the highest of the USD ordered, its own, and the sum of the order's live
-- payments in blocks (usd_of_payment). In another coin: the USD ordered, or its own at the current rate if
-- that is more; without an order, its own. A payment whose needs rise is unconfirmed until refresh_payments
-- checks it. If it newly needs a second node and first_seen_at is null, seen_at moves to recorded_at if that
-- is later. Needs never fall, but no payment needs a second node that operators removed.
-- Rules: SETTLE-3, SETTLE-4, SETTLE-28, SETTLE-32
create or replace function raise_payment_needs(p_chain text) returns void language sql as $$
  with undecided as (
    select p.* from payments p
     where p.chain = p_chain and p.final_at is null and p.alive and p.credited = 0 and p.owed = 0
    union all
    select p.* from payments p
     where p.chain = p_chain and p.final_at is null and p.fault is not null and is_to_decide(p)
  ), sums as (
    select o.id, sum(usd_of_payment(o, p)) as usd
      from orders o join payments p on p.order_id = o.id and p.alive and p.block_height is not null
     where o.id in (select order_id from undecided where alive) group by o.id
  ), needs as (
    select p.id, n.needed, n.finalized, n.second
      from undecided p cross join campaign c
      left join currencies k on k.id = p.currency_id left join orders o on o.id = p.order_id
      left join sums s on s.id = o.id
     cross join lateral (
       select greatest((asked_of(o)).usd, 0,
                       case when p.alive then greatest(s.usd, usd_of_payment(o, p.*))
                            else usd_of_coin(p.amount, k.rate, c.price_usd) end) as usd) v
     cross join lateral confirmations_needed(p_chain, v.usd) n
  )
  update payments p
     set confirmations_needed = greatest(p.confirmations_needed, n.needed),
         needs_finalized = p.needs_finalized or n.finalized, needs_second = p.needs_second or n.second,
         seen_at = case when n.second and not p.needs_second and p.first_seen_at is null
                        then greatest(p.seen_at, p.recorded_at) else p.seen_at end,
         confirmed = false
    from needs n
   -- The array makes PostgreSQL use the primary key even if the table was never analyzed.
   where p.id = n.id and p.id = any(array(select id from needs))
     and (p.confirmations_needed < n.needed or (n.finalized and not p.needs_finalized)
          or (n.second and not p.needs_second));
  update payments set needs_second = false
   where chain = p_chain and final_at is null and needs_second
     and (select second_above_usd from chains where name = p_chain) is null;
$$;

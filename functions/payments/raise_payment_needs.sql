-- Raises the confirmations, finality and second node that payments of an order need to those of the order's
-- USD, or of all its payments together if that is more (usd_of_payment). Applies to payments that are neither
-- credited nor owed, however they came to the order; a raised payment is confirmed anew (refresh_payments).
-- Undecided payments follow in raise_undecided_needs. Without a second node, none is needed. A payment that
-- newly needs one counts from when it was recorded, unless first_seen_at is stored.
-- Rules: SETTLE-3, SETTLE-4, SETTLE-28, SETTLE-32
create or replace function raise_payment_needs(p_chain text) returns void language sql as $$
  with sums as (
    select o.id, greatest((asked_of(o)).usd,
                          sum(usd_of_payment(o, p))) as usd
      from orders o join payments p on p.order_id = o.id and p.alive and p.block_height is not null
     where o.id in (select order_id from payments
                     where chain = p_chain and final_at is null and alive and credited = 0 and owed = 0)
     group by o.id
  ), needs as (
    select s.id, n.needed, n.finalized, needs_second(p_chain, s.usd) as second
      from sums s, lateral confirmations_needed(p_chain, s.usd) n
  )
  update payments p
     set confirmations_needed = greatest(p.confirmations_needed, n.needed),
         needs_finalized = p.needs_finalized or n.finalized, needs_second = p.needs_second or n.second,
         seen_at = case when n.second and not p.needs_second and p.first_seen_at is null
                        then greatest(p.seen_at, p.recorded_at) else p.seen_at end,
         confirmed = false
    from needs n
   where p.order_id = n.id and p.chain = p_chain and p.alive and p.final_at is null
     and p.credited = 0 and p.owed = 0
     and (p.confirmations_needed < n.needed or (n.finalized and not p.needs_finalized)
          or (n.second and not p.needs_second));
  select raise_undecided_needs(p_chain);
  update payments set needs_second = false
   where chain = p_chain and final_at is null and needs_second
     and (select second_above_usd from chains where name = p_chain) is null;
$$;

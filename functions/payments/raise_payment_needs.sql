-- Payments of one order are confirmed by what was asked or, where that is more, by what they bring together
-- (usd_of_payment): each that is neither credited nor owed yet needs the confirmations, the final block and
-- the second node that those dollars ask for, however it came to the
-- order: paid to its address, attached by an operator, or of an amount that a block executed otherwise. What
-- needs more is confirmed anew (refresh_payments). What brings more has changed its order in the same
-- reading, which settles it. What belongs to no order yet needs more, too (raise_undecided_needs). Where
-- there is no second node any more, nothing needs its word. What needs it from now on, and no block held
-- yet, counts from a time that both nodes say; what was first seen stays so.
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

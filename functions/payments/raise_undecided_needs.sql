-- Raises the needs of undecided payments to those of their coins' USD at the current rate and rules, and of
-- their address's order, as record_transfer does. Needs never fall.
-- Rules: SETTLE-32
create or replace function raise_undecided_needs(p_chain text) returns void language sql as $$
  with needs as (
    select p.id, n.needed, n.finalized, needs_second(p_chain, v.usd) as second
      from payments p cross join campaign c
      left join currencies k on k.id = p.currency_id left join orders o on o.id = p.order_id
     cross join lateral (
       select greatest(coalesce((asked_of(o)).usd, 0),
                       coalesce(usd_of_coin(p.amount, k.rate, c.price_usd), 0)) as usd) v
     cross join lateral confirmations_needed(p_chain, v.usd) n
     where p.chain = p_chain and p.final_at is null and p.fault is not null
       and p.block_height is not null and is_to_decide(p)
  )
  update payments p
     set confirmations_needed = greatest(p.confirmations_needed, n.needed),
         needs_finalized = p.needs_finalized or n.finalized, needs_second = p.needs_second or n.second,
         seen_at = case when n.second and not p.needs_second
                        then greatest(p.seen_at, p.recorded_at) else p.seen_at end,
         first_seen_at = case when p.needs_second or not n.second then p.first_seen_at end
    from needs n
   where p.id = n.id
     and (p.confirmations_needed < n.needed or (n.finalized and not p.needs_finalized)
          or (n.second and not p.needs_second))
$$;

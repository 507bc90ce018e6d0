-- The payments of an order that stand, by first seen. Tokens in a round stay bought even if the chain reverts
-- their payment: until it is counted again, it counts with its credited amount.
-- Rules: SETTLE-3, DELIVER-29
create or replace function payments_to_judge(o orders) returns judged_payment[] language sql stable as $$
  select coalesce(array_agg(row(
           p.id, p.amount,
           case when p.credited > 0 and not (p.alive and p.confirmed) then p.amount - p.credited
                else p.owed end,
           seen.at,
           coalesce(p.late_rate, late_rate_of(p)),
           -- A purchase stands while a block holds its payment; fewer confirmations undo nothing.
           p.confirmed or (p.credited > 0 and p.block_height is not null) or is_in_round(p),
           -- Enough nodes have shown the payment once; later payments to its address don't change that.
           p.block_height is not null
             and (p.first_seen_at is not null or not p.needs_second or p.verified_hash = p.block_hash)
             or is_in_round(p),
           p.credited)::judged_payment order by seen.at, p.id), '{}')
    from payments p cross join lateral (select first_seen_of(p) as at) seen
   where p.order_id = o.id and (p.alive or is_in_round(p))
$$;

-- Returns the rate of a payment first seen after its order's expiry (late_rate); null if in time. If the
-- payment can't buy, the rate is negative: minus the rate that values its coin at its USD of that time, at
-- the order's price. 0 if no rate was known. Stored once with first seen, so later settings don't change it.
-- Rules: SETTLE-3, SETTLE-9, LATE-1
create or replace function late_rate_of(p payments) returns numeric language sql stable as $$
  select coalesce(late_rate(o, first_seen_of(p)), round(-r.rate * r.price_usd / o.price_usd, 12), 0)
    from orders o cross join lateral rate_at(o.currency_id, first_seen_of(p)) r
   where o.id = p.order_id and o.expires_at < first_seen_of(p)
$$;

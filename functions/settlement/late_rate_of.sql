-- The rate of a payment that was first seen after its order's expiry (late_rate), 0 where it can't buy; null
-- where it was in time. Written once with when it was first seen: no setting changes it later.
-- Rules: SETTLE-3, LATE-1
create or replace function late_rate_of(p payments) returns numeric language sql stable as $$
  select coalesce(late_rate(o, first_seen_of(p)), 0) from orders o
   where o.id = p.order_id and o.expires_at < first_seen_of(p)
$$;

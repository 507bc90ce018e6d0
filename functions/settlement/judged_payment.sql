-- A payment of an order that stands, as judge reads it: what it brought, what of it is owed back, when it was
-- first seen, and the rate of then where it came after the expiry (late_rate_of; not above 0: it can't buy).
-- is_shown: whether a block holds it that as many nodes show as it needs
create type judged_payment as (
  id bigint, amount numeric, owed numeric, seen_at timestamptz, late_rate numeric, is_counted boolean,
  is_shown boolean, credited numeric
);

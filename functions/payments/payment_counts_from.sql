-- When a payment counts as made: when first seen, if it was mined within settlement_rules().confirm_within of
-- that; else when it was mined.
-- Rules: SETTLE-3
create or replace function payment_counts_from(p payments) returns timestamptz language sql stable as $$
  select case when coalesce(p.mined_at, clock_timestamp()) <= p.seen_at + (settlement_rules()).confirm_within
              then p.seen_at else coalesce(p.mined_at, clock_timestamp()) end
$$;

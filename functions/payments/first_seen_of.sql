-- When a payment was first seen: the earlier of its first showing by a node and its block's time, if the
-- block holds it within settlement_rules().confirm_within of that; else the block's time. What no block holds
-- yet counts as if one held it now. first_seen_at has the answer once a block counts (write_first_seen).
-- Rules: SETTLE-3
create or replace function first_seen_of(p payments) returns timestamptz language sql stable as $$
  select coalesce(p.first_seen_at, case
    when at <= p.seen_at + (settlement_rules()).confirm_within then least(p.seen_at, at) else at end)
    from coalesce(p.mined_at, clock_timestamp()) at
$$;

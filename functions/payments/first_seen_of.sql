-- Returns when a payment was first seen: the earlier of its first report and its block's time, if the block
-- came within settlement_rules().confirm_within; else the block's time. An unmined payment counts as mined
-- now. first_seen_at stores the result (refresh_payments).
-- Rules: SETTLE-3
create or replace function first_seen_of(p payments) returns timestamptz language sql stable as $$
  select coalesce(p.first_seen_at, case
    when at <= p.seen_at + (settlement_rules()).confirm_within then least(p.seen_at, at) else at end)
    from coalesce(p.mined_at, clock_timestamp()) at
$$;

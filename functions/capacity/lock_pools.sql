-- Locks all pools by the one row of campaign_capacity, until the transaction ends. Every change of pools,
-- holdings or totals needs this lock first, so these rows need no lock order.
create or replace function lock_pools() returns void language sql as $$
  select from campaign_capacity for update
$$;

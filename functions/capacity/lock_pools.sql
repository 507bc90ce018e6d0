-- Locks the pools until the transaction ends. Whoever changes a pool, a holding or a total holds this lock,
-- so these rows need no order of their own.
create or replace function lock_pools() returns void language sql as $$
  select from campaign_capacity for update
$$;

-- Returns whether a payment is no longer on chain, or its escrow returned it: nothing is owed for it.
create or replace function is_gone(p payments) returns boolean language sql immutable as $$
  select p.block_height is null or p.failed or p.replaced_by is not null or p.orphaned_at is not null
      or p.fault is not distinct from 'returned'
$$;

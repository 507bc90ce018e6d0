-- Whether a payment waits for an operator to say what it is: it belongs to no order, or is of another asset,
-- and was neither owed back nor written off. What an escrow gave back is decided.
create or replace function is_to_decide(p payments) returns boolean language sql immutable as $$
  select p.fault in ('wrong_asset', 'unmatched') and not p.failed and p.replaced_by is null
     and p.orphaned_at is null and p.owed = 0 and p.written_off_at is null
$$;

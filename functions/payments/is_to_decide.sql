-- Returns whether an operator has to decide about a payment: it has no order or a wrong asset, is more than
-- dust, and was neither owed back nor written off. A payment returned by an escrow is decided.
create or replace function is_to_decide(p payments) returns boolean language sql immutable as $$
  select p.fault in ('wrong_asset', 'unmatched') and not p.failed and p.replaced_by is null
     and p.orphaned_at is null and p.owed = 0 and p.written_off_at is null
$$;

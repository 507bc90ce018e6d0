-- Returns whether an order's transaction belongs to another order: one that is approved, one whose money is
-- owed back on operators' word, or one whose address it pays on the same chain. Several pending orders may
-- name one transaction; the lock lets only one be approved.
-- Rules: ORDER-16
create or replace function transaction_is_taken(p_order_id bigint, p_transaction_id text)
returns boolean language plpgsql as $$
begin
  if p_transaction_id is null then return false; end if;
  perform pg_advisory_xact_lock(hashtextextended('transaction ' || p_transaction_id, 0));
  return exists (
    select from orders o
     where o.transaction_id = p_transaction_id and o.id <> p_order_id
       and (o.status = 'approved' or exists (
             select from refunds r
              where r.order_id = o.id and r.payment_id is null and r.state <> 'written_off')))
    or exists (
    select from orders o join currencies k on k.id = o.currency_id
      join payments p on p.chain = k.network and p.transaction_id = p_transaction_id
     where o.id = p_order_id and p.order_id <> p_order_id and not p.failed and p.replaced_by is null);
end $$;

-- Whether the transaction that an order names belongs to an approved order. Several pending orders may name
-- one; only one of them is approved: whoever asks has it until the transaction ends.
-- Rules: ORDER-16
create or replace function transaction_is_taken(p_order_id bigint, p_transaction_id text)
returns boolean language plpgsql as $$
begin
  if p_transaction_id is null then return false; end if;
  perform pg_advisory_xact_lock(hashtextextended('transaction ' || p_transaction_id, 0));
  return exists (select from orders
                  where transaction_id = p_transaction_id and status = 'approved' and id <> p_order_id);
end $$;

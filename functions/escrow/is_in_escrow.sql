-- Returns whether an escrow holds an order's money, by the ledger.
create or replace function is_in_escrow(p_order_id bigint) returns boolean language sql stable as $$
  select exists (select from payments p join wallet_addresses a on a.address = p.address
                  where p.order_id = p_order_id and a.escrow_id is not null and p.alive)
$$;

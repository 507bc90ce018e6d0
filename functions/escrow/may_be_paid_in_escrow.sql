-- Returns whether an order's signature may still be paid: until a known final block is later than the
-- signature's end. False once the contract returned the order's money, because it accepts no order twice.
-- Releasing the order earlier could leave the escrow owing tokens that the ledger does not. A chain's first
-- followed block (no parent) is ignored: its time is the server's.
-- Rules: DELIVER-25
create or replace function may_be_paid_in_escrow(p_order_id bigint) returns boolean language sql stable as $$
  select exists (
    select from escrow_signatures s join escrows e on e.id = s.escrow_id join chains c on c.name = e.chain
     where s.order_id = p_order_id
       and not exists (select from payments p join orders o on o.place = p.address
                        where o.id = s.order_id and p.fault = 'returned')
       and not exists (select from chain_blocks b
                        where b.chain = e.chain and b.height <= c.finalized_height and b.parent <> ''
                          and b.mined_at > to_timestamp(s.valid_until)))
$$;

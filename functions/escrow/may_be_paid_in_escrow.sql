-- Whether what was signed of an order may still be paid, though nobody has seen it: until a final block is
-- known that is younger than the signature's end, which the contract no longer takes; not once it has given
-- the order's money back, as it takes no order twice. Whoever lets an order go or decides about it before
-- would leave the escrow owing what the ledger does not. The block that a chain is followed from (no parent)
-- has the time of the server's clock and not its own, so that it says nothing of what comes after it.
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

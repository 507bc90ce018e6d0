-- What was read of contracts and addresses in blocks that a chain has taken back says nothing any more: of
-- escrows and addresses it is unknown, and a live round's distributor is red, until the next look.
create or replace function forget_looks(p_chain text, p_height bigint) returns void language sql as $$
  delete from escrow_looks l using escrows e
   where e.id = l.escrow_id and e.chain = p_chain and l.height > p_height;
  delete from holding_looks where chain = p_chain and height > p_height;
  update delivery_looks l set height = p_height, fault = 'distributor_reorganised'
    from delivery_rounds r where r.number = l.round and r.network = p_chain and l.height > p_height;
$$;

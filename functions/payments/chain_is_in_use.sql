-- Returns whether anything of a chain was recorded that its first block binds: a payment, a refund, an
-- escrow. Until then a node that lied about the first block can be replaced.
-- Rules: SETTLE-26
create or replace function chain_is_in_use(p_chain text) returns boolean language sql stable as $$
  select exists (select from payments where chain = p_chain)
      or exists (select from refunds where chain = p_chain)
      or exists (select from escrows where chain = p_chain)
$$;

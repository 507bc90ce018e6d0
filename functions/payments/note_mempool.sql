-- Records what a node says of payments without a block: those that none can include any more failed (p_gone),
-- and those that the node no longer has, or has again (p_present, null if unknown). Returns the orders to
-- settle.
-- Rules: SETTLE-3, SETTLE-20
create or replace function note_mempool(p_chain text, p_gone text[], p_present text[]) returns setof bigint
language sql as $$
  update payments
     set missing_since = case when transaction_id = any(p_present) then null else clock_timestamp() end
   where chain = p_chain and block_height is null and not failed and replaced_by is null
     and (missing_since is null) <> (transaction_id = any(p_present));
  update payments set failed = true, missing_since = null
   where chain = p_chain and transaction_id = any(p_gone)
     and block_height is null and not failed and replaced_by is null
  returning order_id;
$$;

-- Fails payments without a block that none can include any more. Returns the orders to settle.
-- Rules: SETTLE-20
create or replace function fail_overtaken_payments(p_chain text, p_transaction_ids text[])
returns setof bigint language sql as $$
  update payments set failed = true, missing_since = null
   where chain = p_chain and transaction_id = any(p_transaction_ids)
     and block_height is null and not failed and replaced_by is null
  returning order_id;
$$;

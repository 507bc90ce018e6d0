-- Fails waiting payments that no block can include any more. Returns the orders to settle.
-- Rules: SETTLE-20
create or replace function fail_overtaken_payments(p_chain text, p_transaction_ids text[])
returns setof bigint language sql as $$
  update payments set failed = true, missing_since = null
   where chain = p_chain and transaction_id = any(p_transaction_ids)
     and block_height is null and final_at is null and alive
  returning order_id;
$$;

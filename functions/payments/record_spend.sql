-- Records that a known input was spent. If another transaction spent a waiting payment's input, that payment
-- is replaced. If its own did, in a block read without the transfer, the payment failed there. Outputs of
-- ours spent by the operator's wallet are recorded too. Returns the orders to settle.
-- Rules: SETTLE-16, SETTLE-2
create or replace function record_spend(p_chain text, p_input text, p_by text, p_height bigint)
returns setof bigint language plpgsql as $$
declare v_waiting bigint[];
begin
  update payments set spent_by = p_by, spent_height = p_height
   where chain = p_chain and transaction_id || ':' || output_key = p_input
     and (spent_by, spent_height) is distinct from (p_by, p_height);
  update own_coins set spent_by = p_by, spent_height = p_height
   where chain = p_chain and transaction_id = split_part(p_input, ':', 1)
     and output::text = split_part(p_input, ':', 2)
     and (spent_by, spent_height) is distinct from (p_by, p_height);
  -- Searches by input alone, so that PostgreSQL does not use the index by chain, which may match very many
  -- rows.
  v_waiting := array(
    select id from payments
     where inputs @> array[p_input] and block_height is null and not failed and chain || '' = p_chain);
  return query
  update payments set replaced_by = p_by, missing_since = null
   where id = any(v_waiting) and transaction_id <> p_by and replaced_by is distinct from p_by
  returning payments.order_id;
  return query
  update payments set failed = true, block_height = p_height, orphaned_at = null, missing_since = null
   where id = any(v_waiting) and transaction_id = p_by and p_height is not null
  returning payments.order_id;
end $$;

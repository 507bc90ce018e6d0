-- An input that means something was spent. By another transaction than a waiting payment's own: that one
-- replaces it. By its own, in a block that was read without its transfer: executed there, it moved nothing to
-- us, so the payment failed in that block. Or it is an output of ours, which the operator's wallet spent.
-- Returns the orders to settle.
-- Rules: SETTLE-17, SETTLE-31
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
  -- Found by the input alone, so that an index by the chain, of which there may be very many, is never taken.
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

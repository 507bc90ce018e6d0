-- Records which waiting payments the node no longer has, and which it has again.
create or replace function note_missing_payments(p_chain text, p_present text[])
returns void language sql as $$
  update payments
     set missing_since = case when transaction_id = any(p_present) then null else clock_timestamp() end
   where chain = p_chain and block_height is null and final_at is null and alive
     and (missing_since is null) <> (transaction_id = any(p_present));
$$;

-- Records which payments without a block the node no longer has, and which it has again.
-- Rules: SETTLE-3
create or replace function note_missing_payments(p_chain text, p_present text[])
returns void language sql as $$
  update payments
     set missing_since = case when transaction_id = any(p_present) then null else clock_timestamp() end
   where chain = p_chain and block_height is null and not failed and replaced_by is null
     and (missing_since is null) <> (transaction_id = any(p_present));
$$;

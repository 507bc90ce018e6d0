-- The name of the next payment that only a balance shows in block p_height: `balance:` and the height, then
-- `:2`, `:3`, … within one block.
create or replace function name_of_balance(p_chain text, p_address text, p_height bigint)
returns text language sql stable as $$
  select 'balance:' || p_height || case when count(*) > 0 then ':' || count(*) + 1 else '' end
    from payments
   where chain = p_chain and address = p_address and output_key = 'balance'
     and split_part(transaction_id, ':', 2) = p_height::text
$$;

-- Returns the currency of a transfer, or null. The address's own currency comes first, then the chain's
-- native coin (p_native_codes, null if the chain has no tokens) before a token whose contract is not set.
create or replace function currency_of_transfer(
  p_chain text, p_asset text, p_address_currency_id integer, p_native_codes text[]
) returns currencies language sql stable as $$
  select k.* from currencies k
   where k.network = p_chain
     and case when p_asset = 'native' then coalesce(k.token_contract, '') = ''
              else lower(k.token_contract) = p_asset end
   order by (k.id = p_address_currency_id) desc, coalesce(k.code = any(p_native_codes), true) desc, k.id
   limit 1
$$;

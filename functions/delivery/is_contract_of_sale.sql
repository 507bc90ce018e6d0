-- Returns whether nobody can spend from an EVM address (in lower case): the zero address, a currency's token
-- contract, the delivery plan's token contract, a distributor or an escrow.
create or replace function is_contract_of_sale(p_key text) returns boolean language sql stable as $$
  select p_key = '0x' || repeat('0', 40)
      or exists (select from currencies where p_key = lower(token_contract))
      or exists (select from delivery_distributors where p_key = lower(address))
      or exists (select from escrows where p_key = lower(address))
      or exists (select from campaign where lower(settings #>> '{delivery,tokenContract}') = p_key)
$$;

-- Records every fixed address of a currency in wallet_addresses for good, so that no wallet gives it to an
-- order too. One transfer would then pay two orders: one by its chain, one by approval. Raises
-- currencies_address_is_free if a wallet gave the address to an order or a contract of the sale has it.
-- Addresses are stored in canonical form (src/shared/addresses.ts).
-- Rules: WALLET-11
create or replace function keep_fixed_address() returns trigger language plpgsql as $$
declare v_key text := case when new.address like '0x%' then lower(new.address) else new.address end;
begin
  if new.address = '' then return null; end if;
  insert into wallet_addresses (address, address_key) values (new.address, v_key)
  on conflict (address_key) do nothing;
  if is_contract_of_sale(v_key)
     or exists (select from wallet_addresses where address_key = v_key and wallet_id is not null) then
    raise exception 'the address % is taken', new.address
      using errcode = 'check_violation', constraint = 'currencies_address_is_free';
  end if;
  return null;
end $$;

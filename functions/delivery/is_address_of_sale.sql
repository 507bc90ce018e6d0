-- Returns whether an address, in its comparison form, belongs to the sale. It does if a buyer was given it to
-- pay to, if it is or was a currency's fixed address, if it sends refunds, or if nobody can spend from it.
-- Rules: DELIVER-3, REFUND-2
create or replace function is_address_of_sale(p_key text) returns boolean language sql stable as $$
  select is_contract_of_sale(p_key)
      or exists (select from wallet_addresses where address_key = p_key)
      or exists (select from chains where p_key = any(refund_senders))
$$;

-- Whether an address, in the form in which addresses are compared, is the sale's own: given to a buyer to pay
-- to, a fixed address of a currency now or before, a sender of refunds, or one that nobody can spend from.
-- Rules: DELIVER-3, REFUND-2
create or replace function is_address_of_sale(p_key text) returns boolean language sql stable as $$
  select is_contract_of_sale(p_key)
      or exists (select from wallet_addresses where address_key = p_key)
      or exists (select from chains where p_key = any(refund_senders))
$$;

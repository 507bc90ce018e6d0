-- Whether an EVM address (in lower case) is the sale's own: given to a buyer to pay to, a currency's
-- address or token contract, a sender of refunds, the token contract of the delivery plan, a live round's
-- distributor, an escrow, or the zero address.
-- Rules: DELIVER-3
create or replace function is_address_of_sale(p_key text) returns boolean language sql stable as $$
  select p_key = '0x' || repeat('0', 40)
      or exists (select from wallet_addresses where address_key = p_key)
      or exists (select from currencies where p_key in (lower(address), lower(token_contract)))
      or exists (select from delivery_distributors where p_key = lower(address))
      or exists (select from escrows where p_key = lower(address))
      or exists (select from chains where p_key = any(refund_senders))
      or exists (select from campaign where lower(settings #>> '{delivery,tokenContract}') = p_key)
$$;

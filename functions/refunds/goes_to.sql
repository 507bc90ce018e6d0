-- Returns whether a refund goes to an address. The parameter p_address lists, separated by blanks, all forms
-- a row may hold. These are the address's marks under every known SECRET_KEY, and the clear form, used until
-- it is sealed.
-- Rules: RIGHT-18
create or replace function goes_to(p_refund refunds, p_address text)
returns boolean language sql immutable as $$
  select coalesce(p_refund.address_key, p_refund.address_mark) = any (string_to_array(p_address, ' '))
$$;

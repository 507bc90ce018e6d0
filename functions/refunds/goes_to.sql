-- Whether a refund goes to an address, which is told by all that a row may hold of it, separated by blanks:
-- its marks under every known SECRET_KEY, and its clear form, which stands until it is sealed.
-- Rules: RIGHT-18
create or replace function goes_to(p_refund refunds, p_address text)
returns boolean language sql immutable as $$
  select coalesce(p_refund.address_key, p_refund.address_mark) = any (string_to_array(p_address, ' '))
$$;

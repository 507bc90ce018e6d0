-- What an order says it is paid to: its quote's address. A place in an escrow is none: whoever sent coins to
-- what it names would lose them, so that no order ever has it.
-- Rules: DELIVER-23
create or replace function shown_address(p_quote quotes) returns text language sql immutable as $$
  select case when p_quote.escrow_id is null then p_quote.address else '' end
$$;

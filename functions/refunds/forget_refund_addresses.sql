-- Takes back the addresses that were named since p_since for a buyer's refunds, unless a file to pay them was
-- prepared: a thief may have named them. The refunds are owed again, and their buyer names an address anew.
-- Locks the refunds.
-- Rules: RIGHT-38, REFUND-8
create or replace function forget_refund_addresses(p_user_id bigint, p_since timestamptz) returns void
language sql as $$
  update refunds set state = 'owed', claimed_at = null, address = null, address_key = null,
         address_sealed = null, address_mark = null
   where user_id = p_user_id and state = 'claimed' and claimed_at >= p_since
$$;

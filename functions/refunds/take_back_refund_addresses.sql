-- Takes back the addresses that a buyer named for refunds since p_since, and those whose day is not over,
-- unless a refund is prepared or sent: a thief may have named them. What was owed stays owed, and its buyer
-- names an address anew. Locks the refunds. Returns how many lost their address.
-- Rules: REFUND-8, RIGHT-38
create or replace function take_back_refund_addresses(p_user_id bigint, p_since timestamptz)
returns integer language sql as $$
  with taken as (
    update refunds
       set state = case state when 'claimed' then 'owed' else state end, claimed_at = null, address = null,
           address_key = null, address_sealed = null, address_mark = null
     where user_id = p_user_id and state in ('claimed', 'written_off')
       and prepared_at is null and transaction_id is null
       and claimed_at >= least(p_since, clock_timestamp() - (settlement_rules()).change_address)
    returning order_id)
  select count(*)::integer from (select tell('order_changed', order_id, p_user_id) from taken) told
$$;

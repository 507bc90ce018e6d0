-- Removes refund addresses that a buyer named since p_since or less than a day ago, because a thief may have
-- named them; prepared and sent refunds keep theirs. The debt stays, and the buyer names an address again.
-- Locks the refunds. Returns the number of removed addresses.
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

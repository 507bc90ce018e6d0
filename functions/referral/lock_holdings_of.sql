-- Locks the holdings of a buyer and of the buyer's referrer, in the order used by approvals.
create or replace function lock_holdings_of(p_user_id bigint) returns void language sql as $$
  select from holdings
   where user_id in (p_user_id, (select referrer_id from referrals where friend_id = p_user_id))
   order by user_id for update
$$;

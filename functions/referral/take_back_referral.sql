-- Takes back all that an order brought its referrer, by entries of their own, as the order is debited and
-- does not buy as much again at once. A reward that a round has stays. The caller holds the order and the
-- pools; lock_holdings_of has locked the referrer's holdings.
-- Rules: REFER-5
create or replace function take_back_referral(o orders, p_operator_id bigint) returns void language sql as $$
  select reverse_referral(s.posting_id, s.referrer_id, s.tokens, p_operator_id)
    from standing_referrals() s where s.order_id = o.id
$$;

-- Reverses the rewards of an order beyond the share of its remaining p_base tokens: the newest, each in full,
-- so that the first tokens keep their reward. Rewards in a round stay. The caller has locked the order and
-- the pools.
-- Rules: REFER-5
create or replace function take_back_referral(o orders, p_operator_id bigint, p_base numeric)
returns void language sql as $$
  select post_grant('referral_reversed', s.referrer_id, -s.tokens, s.posting_id,
                    row(p_operator_id, null, null, null, null)::granted_by)
    from standing_referrals() s
   where s.order_id = o.id
     and (select sum(e.amount)
            from referral_decisions d
            join entries e on e.posting_id = d.posting_id and e.account = 'buyer_granted'
           where d.order_id = o.id and d.posting_id <= s.posting_id
             and not exists (select from postings v where v.reverses_id = d.posting_id))
         > (select trunc(p_base * r.percent / 100, 6) from referrals r where r.friend_id = o.user_id)
$$;

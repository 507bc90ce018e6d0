-- Rewards that stand and can be taken back: none of their tokens is delivered or in the list of a round.
-- Rules: REFER-7
create or replace function standing_referrals()
returns table (posting_id bigint, order_id bigint, referrer_id bigint, tokens numeric)
language sql stable as $$
  select d.posting_id, d.order_id, d.referrer_id, e.amount
    from referral_decisions d
    join entries e on e.posting_id = d.posting_id and e.account = 'buyer_granted'
    join holdings h on h.user_id = d.referrer_id
   where not exists (select from postings v where v.reverses_id = d.posting_id)
     and not exists (select from referrals_kept k where k.posting_id = d.posting_id)
     and h.granted_tokens - e.amount >= h.allocated_granted
     and h.purchased_tokens + h.bonus_tokens + h.granted_tokens - e.amount >= h.claimed_tokens
$$;

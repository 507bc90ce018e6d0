-- Rewards that stand and are in no round, so they can be reversed.
-- Rules: REFER-7
create or replace function standing_referrals()
returns table (posting_id bigint, order_id bigint, referrer_id bigint, tokens numeric)
language sql stable as $$
  select d.posting_id, d.order_id, d.referrer_id, e.amount
    from referral_decisions d
    join entries e on e.posting_id = d.posting_id and e.account = 'buyer_granted'
   where not exists (select from postings v where v.reverses_id = d.posting_id)
     and not exists (select from delivery_round_parts p where p.posting_id = d.posting_id)
$$;

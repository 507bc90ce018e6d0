-- What p_base tokens of an order bring its referrer: a share of them to a millionth, down, less what stands
-- for the order already, and no more than the two limits leave. The caller holds the pools, under which the
-- standing rewards can't change.
-- Rules: REFER-4, REFER-5
create or replace function referral_tokens(o orders, r referrals, p_base numeric) returns numeric
language sql stable as $$
  select greatest(0, least(
           trunc(p_base * r.percent / 100, 6)
             - coalesce(sum(amount) filter (where order_id = o.id), 0),
           r.most_tokens - coalesce(sum(amount), 0),
           r.most_tokens_each - coalesce(sum(amount) filter (where user_id = r.referrer_id), 0)))
    from (select e.user_id, e.amount, d.order_id
            from postings p join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
            left join referral_decisions d on d.posting_id = coalesce(p.reverses_id, p.id)
           where p.kind in ('referral', 'referral_reversed')) standing
$$;

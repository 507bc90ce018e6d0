-- What an order brings its referrer: a share of the base to a millionth, down, less what stayed of its
-- earlier approvals, and no more than the two limits leave. The caller holds the pools, under which the
-- standing rewards can't change.
-- Rules: REFER-4, REFER-5
create or replace function referral_tokens(o orders, r referrals) returns numeric
language sql stable as $$
  select greatest(0, least(
           trunc(o.base_tokens * r.percent / 100, 6)
             - coalesce(sum(amount) filter (where order_id = o.id), 0),
           r.most_tokens - coalesce(sum(amount), 0),
           r.most_tokens_each - coalesce(sum(amount) filter (where user_id = r.referrer_id), 0)))
    from (select e.user_id, e.amount, d.order_id
            from postings p join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
            left join referral_decisions d on d.posting_id = coalesce(p.reverses_id, p.id)
           where p.kind in ('referral', 'referral_reversed')) standing
$$;

-- What an order brings its referrer: a share of the base to a millionth, down, and no more than the two
-- limits leave. The caller holds the pools, under which the standing rewards can't change.
create or replace function referral_tokens(p_base numeric, r referrals) returns numeric
language sql stable as $$
  select greatest(0, least(
           trunc(p_base * r.percent / 100, 6),
           r.most_tokens - coalesce(sum(amount), 0),
           r.most_tokens_each - coalesce(sum(amount) filter (where user_id = r.referrer_id), 0)))
    from (select e.user_id, e.amount
            from postings p join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
           where p.kind in ('referral', 'referral_reversed')) standing
$$;

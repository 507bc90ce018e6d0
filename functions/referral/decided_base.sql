-- How many base tokens of an order have a decision about their reward. Those of a reward that went back with
-- its order no longer count as decided. Refused ones do, and those of a reward that was taken back from one
-- person with two accounts.
-- Rules: REFER-4, REFER-5
create or replace function decided_base(p_order_id bigint) returns numeric language sql stable as $$
  select coalesce(sum(d.base_tokens), 0)
    from referral_decisions d
   where d.order_id = p_order_id
     and (not exists (select from postings v where v.reverses_id = d.posting_id)
          or exists (select from orders o join referrals_found f on f.friend_id = o.user_id
                      where o.id = d.order_id))
$$;

-- Takes back all that an order brought its referrer, by entries of their own, as the order is debited and
-- does not buy as much again at once. Tokens that are delivered or in the list of a round stay, and that
-- is noted. The caller holds the order and the pools; lock_holdings_of has locked the referrer's holdings.
-- Rules: REFER-5
create or replace function take_back_referral(o orders, p_operator_id bigint) returns void
language plpgsql as $$
begin
  perform reverse_referral(s.posting_id, s.referrer_id, s.tokens, p_operator_id)
     from standing_referrals() s join referral_decisions d on d.posting_id = s.posting_id
    where d.order_id = o.id;
  insert into referrals_kept (posting_id)
  select d.posting_id from referral_decisions d
   where d.order_id = o.id and d.posting_id is not null
     and not exists (select from postings v where v.reverses_id = d.posting_id)
     and not exists (select from referrals_kept k where k.posting_id = d.posting_id);
end $$;

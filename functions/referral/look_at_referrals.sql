-- Looks again at the rewards that can be taken back, and takes back those whose two accounts have shown since
-- to be one person's: by a browser, address or mailbox that one of them used after the decision.
-- Returns how many. Locks, where there are any: pools → the referrers' holdings. No order needs to be held,
-- because nothing is debited without the pools.
-- Rules: REFER-7
create or replace function look_at_referrals() returns integer language plpgsql as $$
declare v_suspected bigint[]; v record; v_taken integer := 0;
begin
  select array_agg(s.posting_id) into v_suspected
    from standing_referrals() s join orders o on o.id = s.order_id join referrals r on r.friend_id = o.user_id
   where one_person(r) is not null;
  if v_suspected is null then return 0; end if;
  perform lock_pools();
  perform 1 from holdings
   where user_id in (select referrer_id from referral_decisions where posting_id = any(v_suspected))
   order by user_id for update;
  for v in
    select d.posting_id, d.referrer_id, one_person(r) as reason
      from referral_decisions d join orders o on o.id = d.order_id join referrals r on r.friend_id = o.user_id
     where d.posting_id = any(v_suspected) order by d.posting_id
  loop
    -- Read one by one: what was taken back before counts for what can be.
    perform reverse_referral(s.posting_id, s.referrer_id, s.tokens, null)
       from standing_referrals() s where s.posting_id = v.posting_id;
    if found then
      insert into referrals_found (posting_id, refusal) values (v.posting_id, v.reason);
      v_taken := v_taken + 1;
    end if;
  end loop;
  return v_taken;
end $$;

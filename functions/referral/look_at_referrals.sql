-- Rechecks the rewards that can be reversed, and reverses those whose two accounts turned out to be one
-- person's, by a browser, address or mailbox used after the decision. Remembers those friends. Returns the
-- number of rewards. Locks, if there are any: pools. Orders need no lock, because every debit locks the
-- pools.
-- Rules: REFER-6, REFER-7
create or replace function look_at_referrals() returns integer language plpgsql as $$
declare v_friends bigint[]; v_taken integer;
begin
  select array_agg(r.friend_id) into v_friends
    from standing_referrals() s join orders o on o.id = s.order_id join referrals r on r.friend_id = o.user_id
   where one_person(r) is not null;
  if v_friends is null then return 0; end if;
  perform lock_pools();
  insert into referrals_found (friend_id, refusal)
  select r.friend_id, reason from referrals r, one_person(r) reason
   where r.friend_id = any(v_friends) and reason is not null
  on conflict do nothing;
  -- Read under the locks: rewards reversed or listed meanwhile are excluded.
  perform post_grant('referral_reversed', s.referrer_id, -s.tokens, s.posting_id)
     from standing_referrals() s join orders o on o.id = s.order_id
     join referrals_found f on f.friend_id = o.user_id
    where o.user_id = any(v_friends);
  get diagnostics v_taken = row_count;
  return v_taken;
end $$;

-- Decides the reward for the undecided base tokens of a friend's order: posts it from the bonus share, or
-- records the refusal. Reward: a percentage of the tokens, truncated to 6 decimals, within both limits.
-- Remembers friends who are the same person. Returns false and changes nothing if the buyer has no referrer
-- or all tokens are decided. Locks: order → pools (which protect the existing rewards).
-- Rules: REFER-4, REFER-6, GRANT-3
create or replace function decide_referral(p_order_id bigint, p_hand_days integer) returns boolean
language plpgsql as $$
declare
  o orders%rowtype; r referrals%rowtype;
  v_base numeric; v_reason text; v_tokens numeric; v_posting_id bigint;
begin
  select * into o from orders where id = p_order_id for update;
  select * into r from referrals where friend_id = o.user_id;
  v_base := base_for_reward(o, p_hand_days) - decided_base(o.id);
  if r.friend_id is null or v_base <= 0 then return false; end if;
  perform lock_pools();
  v_reason := referral_refusal(o, r);
  if v_reason is null then
    select least(trunc(v_base * r.percent / 100, 6), r.most_tokens - coalesce(sum(e.amount), 0),
                 r.most_tokens_each
                   - coalesce(sum(e.amount) filter (where e.user_id = r.referrer_id), 0))
      into v_tokens
      from postings p join entries e on e.posting_id = p.id and e.account = 'buyer_granted'
     where p.kind in ('referral', 'referral_reversed');
    if v_tokens <= 0 then v_reason := 'limit_reached'; end if;
  end if;
  if v_reason is null and bonus_to_give() < v_tokens then v_reason := 'supply_reached'; end if;
  if v_reason is null then
    v_posting_id := post_grant('referral', r.referrer_id, v_tokens);
  end if;
  insert into referral_decisions (order_id, base_tokens, referrer_id, posting_id, refusal)
  values (o.id, v_base, r.referrer_id, v_posting_id, v_reason);
  insert into referrals_found (friend_id, refusal) select r.friend_id, v_reason where v_reason = one_person(r)
  on conflict do nothing;
  return true;
end $$;

-- Decides the reward for the base tokens of a friend's order that have no decision yet, and posts it out of
-- the share for bonuses and grants, or writes why there is none. Returns false, and changes nothing, if the
-- buyer has no referrer or all tokens are decided. Locks: order → pools → the referrer's holdings.
-- Rules: REFER-4, GRANT-3
create or replace function decide_referral(p_order_id bigint, p_hand_days integer) returns boolean
language plpgsql as $$
declare
  o orders%rowtype; r referrals%rowtype;
  v_base numeric; v_reason text; v_tokens numeric; v_posting_id bigint;
begin
  select * into o from orders where id = p_order_id for update;
  select * into r from referrals where friend_id = o.user_id;
  v_base := base_for_reward(o, p_hand_days);
  if r.friend_id is null or v_base <= decided_base(o.id) then return false; end if;
  perform lock_pools();
  v_reason := referral_refusal(o, r);
  if v_reason is null then
    v_tokens := referral_tokens(o, r, v_base);
    if v_tokens = 0 then v_reason := 'limit_reached'; end if;
  end if;
  if v_reason is null and bonus_to_give(v_tokens) < v_tokens then v_reason := 'supply_reached'; end if;
  if v_reason is null then
    insert into postings (kind, user_id) values ('referral', r.referrer_id) returning id into v_posting_id;
    perform move_referral(v_posting_id, r.referrer_id, v_tokens);
  end if;
  insert into referral_decisions (order_id, base_tokens, referrer_id, posting_id, refusal)
  values (o.id, v_base, r.referrer_id, v_posting_id, v_reason);
  return true;
end $$;

-- Decides, once an approval, what a friend's order brings who brought the friend, and posts it out of the
-- share for bonuses and grants. Does nothing where the order is not approved, not final yet (every payment
-- that it stands on; p_hand_days after an approval by hand), or was decided. Returns whether it decided.
-- Locks: order → pools → the referrer's holdings.
-- Rules: REFER-4, GRANT-3
create or replace function decide_referral(p_order_id bigint, p_hand_days integer) returns boolean
language plpgsql as $$
declare
  o orders%rowtype; r referrals%rowtype;
  v_reason text; v_tokens numeric; v_posting_id bigint;
begin
  select * into o from orders where id = p_order_id for update;
  select * into r from referrals where friend_id = o.user_id;
  if not referral_is_due(o, p_hand_days) or r.friend_id is null
     or exists (select from referral_decisions where order_id = o.id and approval = o.approvals) then
    return false;
  end if;
  perform lock_pools();
  v_reason := referral_refusal(o, r);
  if v_reason is null then
    v_tokens := referral_tokens(o, r);
    if v_tokens = 0 then v_reason := 'limit_reached'; end if;
  end if;
  if v_reason is null and bonus_to_give(v_tokens) < v_tokens then v_reason := 'supply_reached'; end if;
  if v_reason is null then
    insert into postings (kind, user_id) values ('referral', r.referrer_id) returning id into v_posting_id;
    perform move_referral(v_posting_id, r.referrer_id, v_tokens);
  end if;
  insert into referral_decisions (order_id, approval, referrer_id, posting_id, refusal)
  values (o.id, o.approvals, r.referrer_id, v_posting_id, v_reason);
  return true;
end $$;

-- Takes back what an order brought its referrer, by entries of its own, as the order is debited. Tokens that
-- are delivered or in the list of a round stay, and that is noted. The caller holds the order and the pools;
-- lock_holdings_of has locked the referrer's holdings.
create or replace function take_back_referral(o orders, p_operator_id bigint) returns void
language plpgsql as $$
declare v record; h holdings%rowtype; v_posting_id bigint;
begin
  select d.posting_id, d.referrer_id, e.amount into v
    from referral_decisions d
    join entries e on e.posting_id = d.posting_id and e.account = 'buyer_granted'
   where d.order_id = o.id and d.approval = o.approvals;
  if not found then return; end if;
  select * into h from holdings where user_id = v.referrer_id;
  if h.granted_tokens - v.amount < h.allocated_granted
     or h.purchased_tokens + h.bonus_tokens + h.granted_tokens - v.amount < h.claimed_tokens then
    insert into referrals_kept (posting_id) values (v.posting_id);
    return;
  end if;
  insert into postings (kind, user_id, reverses_id, operator_id)
  values ('referral_reversed', v.referrer_id, v.posting_id, p_operator_id) returning id into v_posting_id;
  perform move_referral(v_posting_id, v.referrer_id, -v.amount);
end $$;

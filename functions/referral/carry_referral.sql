-- What an order brought its referrer stays where it buys more: the reward p_posting_id, which was taken back
-- with the former approval of o, is given again for the new one, as much. The caller holds what debit_order
-- locks.
-- Rules: REFER-5
create or replace function carry_referral(o orders, p_posting_id bigint) returns void language plpgsql as $$
declare v_posting_id bigint; v_referrer_id bigint; v_tokens numeric;
begin
  select user_id, amount into v_referrer_id, v_tokens
    from entries where posting_id = p_posting_id and account = 'buyer_granted';
  insert into postings (kind, user_id) values ('referral', v_referrer_id) returning id into v_posting_id;
  perform move_referral(v_posting_id, v_referrer_id, v_tokens);
  insert into referral_decisions (order_id, approval, referrer_id, posting_id)
  values (o.id, o.approvals + 1, v_referrer_id, v_posting_id);
end $$;

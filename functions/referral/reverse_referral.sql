-- Posts the reversal of a reward. The caller has locked the pools and the referrer's holdings and checked
-- that the reward stands.
create or replace function reverse_referral(
  p_posting_id bigint, p_referrer_id bigint, p_tokens numeric, p_operator_id bigint
) returns void language plpgsql as $$
declare v_posting_id bigint;
begin
  insert into postings (kind, user_id, reverses_id, operator_id)
  values ('referral_reversed', p_referrer_id, p_posting_id, p_operator_id) returning id into v_posting_id;
  perform move_referral(v_posting_id, p_referrer_id, -p_tokens);
end $$;

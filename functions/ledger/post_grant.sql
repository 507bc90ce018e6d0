-- Posts tokens from the bonus share to a buyer: a grant or a referral reward, or below 0 its reversal.
-- Updates the buyer's holdings and the bonus share, and tells the buyer. The caller has locked the pools and
-- checked that the tokens are there. Returns the posting's id.
-- Rules: GRANT-1, GRANT-2, REFER-4
create or replace function post_grant(
  p_kind text, p_user_id bigint, p_tokens numeric, p_reverses_id bigint default null,
  p_by granted_by default null
) returns bigint language plpgsql as $$
declare v_id bigint;
begin
  insert into postings (kind, user_id, reverses_id, operator_id, reason, idempotency_key, request_hash)
  values (p_kind, p_user_id, p_reverses_id, p_by.operator_id, p_by.reason, p_by.key, p_by.request_hash)
  returning id into v_id;
  insert into entries (posting_id, account, user_id, asset, amount) values
    (v_id, 'bonus_supply', null, 'TOKEN', -p_tokens),
    (v_id, 'buyer_granted', p_user_id, 'TOKEN', p_tokens);
  insert into holdings (user_id) values (p_user_id) on conflict do nothing;
  update holdings set granted_tokens = granted_tokens + p_tokens where user_id = p_user_id;
  update campaign_capacity
     set pool_bonus_tokens = pool_bonus_tokens - p_tokens, granted_tokens = granted_tokens + p_tokens;
  perform tell(case p_kind when 'grant' then 'grant_added' when 'referral' then 'referral_credited'
                           else p_kind end, null, p_user_id);
  return v_id;
end $$;

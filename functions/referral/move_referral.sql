-- Writes the entries of a reward (p_tokens above 0) or its reversal (below 0), and updates the holdings and
-- the bonus share. The caller has locked the pools.
create or replace function move_referral(p_posting_id bigint, p_user_id bigint, p_tokens numeric)
returns void language plpgsql as $$
begin
  insert into entries (posting_id, account, user_id, asset, amount) values
    (p_posting_id, 'bonus_supply', null, 'TOKEN', -p_tokens),
    (p_posting_id, 'buyer_granted', p_user_id, 'TOKEN', p_tokens);
  if p_tokens > 0 then
    insert into holdings as h (user_id, granted_tokens) values (p_user_id, p_tokens)
    on conflict (user_id) do update set granted_tokens = h.granted_tokens + p_tokens;
  else
    update holdings set granted_tokens = granted_tokens + p_tokens where user_id = p_user_id;
  end if;
  update campaign_capacity
     set pool_bonus_tokens = pool_bonus_tokens - p_tokens, granted_tokens = granted_tokens + p_tokens;
  perform tell(case when p_tokens > 0 then 'referral_credited' else 'referral_reversed' end, null, p_user_id);
end $$;

-- Records the referrer of a new account, under the current terms. Does nothing if the programme is off, the
-- code is unknown, or its owner's account is deleted.
-- Rules: REFER-2
create or replace function note_referral(p_friend_id bigint, p_code text) returns void language sql as $$
  insert into referrals (friend_id, referrer_id, percent, most_tokens_each, most_tokens, countries_excluded)
  select p_friend_id, l.user_id, t.percent, t."mostTokensEach", t."mostTokens", t."countriesExcluded"
    from referral_links l
    join users u on u.id = l.user_id and u.deleted_at is null
   cross join referral_terms() t
   where l.code = p_code and t.percent is not null and l.user_id < p_friend_id
  on conflict (friend_id) do nothing
$$;

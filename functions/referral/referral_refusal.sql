-- Why an order of a friend brings its referrer nothing, or null: the referrer's account is gone, both are
-- or were found to be one person, one of them lives where the programme is not open, or the friend may,
-- because the order declares no country though it was asked for one.
-- Rules: REFER-6
create or replace function referral_refusal(o orders, r referrals) returns text language sql stable as $$
  select case
    when b.email_key is null then 'account_gone'
    when coalesce(one_person(r), w.refusal) is not null then coalesce(one_person(r), w.refusal)
    when array[o.declarations ->> 'country', l.country] && x.excluded then 'country_excluded'
    when o.declarations ->> 'country' is null
     and rewards_left_out_a_country(o.created_at) then 'country_unknown' end
    from users f join users b on b.id = r.referrer_id left join referral_links l on l.user_id = b.id
    left join lateral (
     select found.refusal from referrals_found found join referral_decisions d using (posting_id)
       join orders q on q.id = d.order_id
      where q.user_id = r.friend_id and d.referrer_id = r.referrer_id limit 1) w on true
   cross join lateral (
     select r.countries_excluded
            || coalesce((select "countriesExcluded" from referral_terms()), '{}') as excluded) x
   where f.id = r.friend_id
$$;

-- Returns why a friend's order brings no reward, or null. The referrer's account is deleted, the owner of the
-- mailbox took the friend's account over before the order, both are one person, one of them lives in an
-- excluded country, or the order lacks the country that its page asked for, because the programme excluded
-- some then.
-- Rules: REFER-6, RIGHT-38
create or replace function referral_refusal(o orders, r referrals) returns text language sql stable as $$
  select case
    when b.email_key is null then 'account_gone'
    when o.created_at >= (select taken_over_at from users where id = o.user_id) then 'taken_over'
    when one_person is not null then one_person
    when array[o.declarations ->> 'country', l.country] && x.excluded then 'country_excluded'
    when o.declarations ->> 'country' is null
     and jsonb_array_length(t.at_order -> 'countriesExcluded') > 0 then 'country_unknown' end
    from users b left join referral_links l on l.user_id = b.id
    -- The first later change records the terms of the order's time.
   cross join lateral (
     select case when h.id is null then c.settings -> 'referral' else h.before end as at_order
       from campaign c left join lateral (
         select id, before from campaign_changes
          where setting = 'referral' and changed_at > o.created_at order by id limit 1) h on true) t
   cross join one_person(r)
   cross join lateral (
     select r.countries_excluded
            || coalesce((select "countriesExcluded" from referral_terms()), '{}') as excluded) x
   where b.id = r.referrer_id
$$;

-- Why an order of a friend brings its referrer nothing, or null: an account is gone, both are one person by
-- mailbox, device, payer or address of delivery, or one of them lives where the programme is not open.
create or replace function referral_refusal(o orders, r referrals) returns text language sql stable as $$
  select case
    when f.email_key is null or b.email_key is null then 'account_gone'
    when mailbox_of(f.email_key) = mailbox_of(b.email_key) then 'same_mailbox'
    when r.same_device or exists (
      select from user_sessions s
        join user_sessions t on (t.network, t.user_agent) = (s.network, s.user_agent) and s.user_agent <> ''
       where s.user_id = r.friend_id and t.user_id = r.referrer_id) then 'same_device'
    when pay_together(r.friend_id, r.referrer_id) then 'same_payer'
    when exists (
      select from delivery_addresses d join delivery_addresses e on lower(e.address) = lower(d.address)
       where d.user_id = r.friend_id and e.user_id = r.referrer_id) then 'same_address'
    when array[o.declarations ->> 'country', l.country]
         && (r.countries_excluded || coalesce((select "countriesExcluded" from referral_terms()), '{}'))
    then 'country_excluded' end
    from users f join users b on b.id = r.referrer_id left join referral_links l on l.user_id = b.id
   where f.id = r.friend_id
$$;

-- By what a friend and who brought the friend show to be one person, or null: mailbox, device, payer or
-- address of delivery. What both did so far counts, so the answer may change from null to a reason.
create or replace function one_person(r referrals) returns text language sql stable as $$
  select case
    when mailbox_of(f.email_key) = mailbox_of(b.email_key) then 'same_mailbox'
    when r.same_device or exists (
      select from user_devices d join user_devices e using (mark)
       where d.user_id = r.friend_id and e.user_id = r.referrer_id) or exists (
      select from user_sessions s
        join user_sessions t on (t.network, t.user_agent) = (s.network, s.user_agent) and s.user_agent <> ''
       where s.user_id = r.friend_id and t.user_id = r.referrer_id) then 'same_device'
    when pay_together(r.friend_id, r.referrer_id) then 'same_payer'
    when exists (
      select from delivery_addresses d join delivery_addresses e on lower(e.address) = lower(d.address)
       where d.user_id = r.friend_id and e.user_id = r.referrer_id) then 'same_address' end
    from users f join users b on b.id = r.referrer_id
   where f.id = r.friend_id
$$;

-- By what two accounts show to be one person, or null: mailbox, device, payer, address of delivery, or a
-- wallet that pays for one and gets the tokens of the other. What both did so far counts.
-- Rules: REFER-6
create or replace function same_person(p_one bigint, p_other bigint) returns text language sql stable as $$
  select case
    when mailbox_of(f.email_key) = mailbox_of(b.email_key) then 'same_mailbox'
    when exists (
      select from user_devices d join user_devices e using (mark)
       where d.user_id = p_one and e.user_id = p_other) or exists (
      select from user_sessions s
        join user_sessions t on (t.network, t.user_agent) = (s.network, s.user_agent) and s.user_agent <> ''
       where s.user_id = p_one and t.user_id = p_other) then 'same_device'
    when pay_together(p_one, p_other) then 'same_payer'
    when exists (
      select from delivery_addresses d join delivery_addresses e on lower(e.address) = lower(d.address)
       where d.user_id = p_one and e.user_id = p_other) then 'same_address'
    when exists (
      select from (values (p_one, p_other), (p_other, p_one)) as pair(payer, holder)
        join orders o on o.user_id = payer join payments p on p.order_id = o.id
       cross join unnest(p.inputs) i
        join delivery_addresses d
          on d.user_id = holder and lower(d.address) = lower(split_part(i, ':', 1)))
    then 'same_wallet' end
    from users f join users b on b.id = p_other
   where f.id = p_one
$$;

-- Returns the evidence that two accounts are one person's, or null: a common mailbox, browser, effective
-- delivery address or refund address. Only actions of these two accounts count, so nobody else can cost them
-- a reward. An address that was only typed does not count.
-- Rules: REFER-6
create or replace function same_person(p_one bigint, p_other bigint) returns text language sql stable as $$
  select case
    when mailbox_of(f.email_key) = mailbox_of(b.email_key) then 'same_mailbox'
    when exists (
      select from user_devices d join user_devices e using (mark)
       where d.user_id = p_one and e.user_id = p_other) then 'same_device'
    when exists (
      select from delivery_addresses d join delivery_addresses e on lower(e.address) = lower(d.address)
       where d.user_id = p_one and e.user_id = p_other
         and greatest(d.counts_from, e.counts_from) <= clock_timestamp()
         and num_nulls(d.counts_from, e.counts_from) = 0) or exists (
      select from refunds d
        join refunds e on e.chain = d.chain
             and (e.address_mark = d.address_mark or e.address_key = d.address_key)
       where d.user_id = p_one and e.user_id = p_other) then 'same_address' end
    from users f join users b on b.id = p_other
   where f.id = p_one
$$;

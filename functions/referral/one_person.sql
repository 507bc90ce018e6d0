-- By what a friend and who brought the friend show to be one person, or that the friend is who brought the
-- referrer, at whatever remove (ring), or null. What they did so far counts, so the answer may change from
-- null to a reason. What was found once stays, whatever they change or delete afterwards. An address makes no
-- ring: anybody above could name one that others use. Accounts were brought by older ones, so each way up
-- ends; the first twenty are asked.
-- Rules: REFER-3, REFER-6
create or replace function one_person(r referrals) returns text language sql stable as $$
  with recursive above as (
    select u.referrer_id, 1 as far from referrals u where u.friend_id = r.referrer_id
    union all
    select u.referrer_id, a.far + 1
      from above a join referrals u on u.friend_id = a.referrer_id where a.far < 20)
  select coalesce(
    (select refusal from referrals_found where friend_id = r.friend_id),
    same_person(r.friend_id, r.referrer_id),
    (select 'ring' from above
      where same_person(r.friend_id, referrer_id) in ('same_mailbox', 'same_device') limit 1))
$$;

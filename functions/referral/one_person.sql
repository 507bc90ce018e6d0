-- Returns why a friend and the referrer count as one person, `ring` if the friend is one of the twenty above
-- the referrer in the chain of referrals, or null. A reason stays, whatever the accounts later change or
-- delete. A shared address makes no ring, because anybody could name one.
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

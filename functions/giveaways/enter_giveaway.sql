-- Enters a person once for each account and mailbox. p_marks are the keyed hashes of the mailbox under each
-- known key, the newest first. Locks: account → giveaway; finalizing the list locks the giveaway too, so
-- nobody enters afterwards. Refusals: giveaway_unknown, giveaway_not_open, giveaway_unconfirmed,
-- giveaway_country, giveaway_entered.
-- Rules: GIVE-2
create or replace function enter_giveaway(
  p_giveaway bigint, p_user bigint, p_marks bytea[], p_nonce bytea, p_commitment bytea, p_country text
) returns text language plpgsql as $$
declare g giveaways; v_now timestamptz; v_confirmed boolean;
begin
  select confirmed_at is not null into v_confirmed from users
   where id = p_user and deleted_at is null for share;
  select * into g from giveaways where id = p_giveaway and published_at is not null for share;
  if not found then return 'giveaway_unknown'; end if;
  v_now := clock_timestamp();
  if v_now < g.opens_at or v_now >= g.closes_at then return 'giveaway_not_open'; end if;
  if v_confirmed is not true then return 'giveaway_unconfirmed'; end if;
  if not g.rules -> 'countries' ? p_country then return 'giveaway_country'; end if;
  if exists (select from giveaway_entries e
              where e.giveaway_id = p_giveaway and e.mailbox_mark = any (p_marks)) then
    return 'giveaway_entered';
  end if;
  insert into giveaway_entries (
    giveaway_id, user_id, mailbox_mark, nonce, commitment, country, bought, entered_at)
  select p_giveaway, p_user, p_marks[1], p_nonce, p_commitment, p_country,
         exists (select from orders o where o.user_id = p_user and o.status = 'approved'
                                        and o.approved_at >= g.opens_at), v_now
  on conflict do nothing;
  return case when not found then 'giveaway_entered' end;
end $$;

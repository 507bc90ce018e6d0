-- Withdraws a buyer's pending addresses: unconfirmed ones, and those whose day is not over. After a
-- password change (p_since) also those named since. If one of these was confirmed, all addresses go: the
-- previous one may be a thief's that the owner was replacing. Locks the buyer's row. Returns whether any
-- was withdrawn.
-- Rules: DELIVER-4, RIGHT-38
create or replace function withdraw_delivery_change(
  p_user_id bigint, p_since timestamptz default null
) returns boolean language plpgsql as $$
declare v_now timestamptz; v_any boolean; v_confirmed boolean;
begin
  perform 1 from users where id = p_user_id for no key update;
  v_now := clock_timestamp();
  with taken as (
    update delivery_addresses set withdrawn_at = v_now
     where user_id = p_user_id and withdrawn_at is null
       and (counts_from is null or counts_from > v_now or named_at >= p_since)
    returning confirmed_at)
  select count(*) > 0, count(confirmed_at) > 0 into v_any, v_confirmed from taken;
  if v_confirmed and p_since is not null then
    update delivery_addresses set withdrawn_at = v_now
     where user_id = p_user_id and withdrawn_at is null;
  end if;
  return v_any;
end $$;

-- Withdraws a buyer's pending addresses: unconfirmed ones, and those whose day is not over. After a
-- password change (p_since) also those named since; if any is withdrawn, all addresses go: the previous
-- one may be a thief's that the owner was replacing. Locks the buyer's row. Returns whether any was
-- withdrawn; a typed one whose link has expired counts for nothing.
-- Rules: DELIVER-4, RIGHT-38
create or replace function withdraw_delivery_change(
  p_user_id bigint, p_since timestamptz default null
) returns boolean language plpgsql as $$
declare v_now timestamptz; v_any boolean;
begin
  perform 1 from users where id = p_user_id for no key update;
  v_now := clock_timestamp();
  with taken as (
    update delivery_addresses set withdrawn_at = v_now
     where user_id = p_user_id and withdrawn_at is null
       and (counts_from is null or counts_from > v_now or named_at >= p_since)
    returning counts_from is not null or named_at > v_now - interval '1 day' as is_open)
  select coalesce(bool_or(is_open), false) into v_any from taken;
  if v_any and p_since is not null then
    update delivery_addresses set withdrawn_at = v_now
     where user_id = p_user_id and withdrawn_at is null;
  end if;
  return v_any;
end $$;

-- Takes back what waits to become a buyer's address: one that is not confirmed, and one whose day is not
-- over; with p_since also what was named since then and counts. Locks the buyer's row. Returns whether there
-- was any.
-- Rules: DELIVER-4, RIGHT-38
create or replace function withdraw_delivery_change(
  p_user_id bigint, p_since timestamptz default 'infinity'
) returns boolean language plpgsql as $$
declare v_now timestamptz;
begin
  perform 1 from users where id = p_user_id for no key update;
  v_now := clock_timestamp();
  update delivery_addresses set withdrawn_at = v_now
   where user_id = p_user_id and withdrawn_at is null
     and (counts_from is null or counts_from > v_now or named_at >= p_since);
  return found;
end $$;

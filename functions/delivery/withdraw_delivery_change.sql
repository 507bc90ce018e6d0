-- Takes back what waits to become a buyer's address: one that is not confirmed, and one whose day is not
-- over; with p_since also what was named since then and counts. Where one that counts is taken back, the one
-- before it does not count again either: its owner may have replaced a thief's. Locks the buyer's row.
-- Returns whether there was any.
-- Rules: DELIVER-4, RIGHT-38
create or replace function withdraw_delivery_change(
  p_user_id bigint, p_since timestamptz default 'infinity'
) returns boolean language plpgsql as $$
declare v_now timestamptz; v_counted boolean;
begin
  perform 1 from users where id = p_user_id for no key update;
  v_now := clock_timestamp();
  v_counted := exists (select from delivery_addresses
                        where user_id = p_user_id and withdrawn_at is null and counts_from <= v_now
                          and named_at >= p_since);
  update delivery_addresses set withdrawn_at = v_now
   where user_id = p_user_id and withdrawn_at is null
     and (v_counted or counts_from is null or counts_from > v_now or named_at >= p_since);
  return found;
end $$;

-- Confirms the address that a buyer named: it counts after a day, the first as well as a change, so that a
-- buyer who was mailed can take back what a thief named before any round has it. Nothing else that waits
-- for this buyer does any longer. The caller has locked the buyer's row. Returns when it counts.
-- Rules: DELIVER-4
create or replace function let_delivery_address_count(p_id bigint) returns timestamptz
language plpgsql as $$
declare v_now timestamptz := clock_timestamp(); v_user bigint; v_from timestamptz;
begin
  select user_id into strict v_user from delivery_addresses where id = p_id and withdrawn_at is null;
  update delivery_addresses set withdrawn_at = v_now
   where user_id = v_user and id <> p_id and withdrawn_at is null
     and (counts_from is null or counts_from > v_now);
  v_from := v_now + make_interval(hours => (delivery_rules()).change_hours);
  update delivery_addresses set confirmed_at = v_now, counts_from = v_from where id = p_id;
  return v_from;
end $$;

-- Confirms a buyer's address. It takes effect after a day, so that the mailed buyer can withdraw a thief's
-- address before a round uses it. Withdraws the buyer's other pending addresses. The caller has locked the
-- buyer's row. Returns the time from which the address counts.
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

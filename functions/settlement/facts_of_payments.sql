-- Adds to the facts of an order what its payments say: those that stand, by when they were first seen and
-- whether they are confirmed. An unconfirmed one is waited for while a block holds it, until it is counted or
-- gone. One that no block holds is waited for until settlement_rules().confirm_within has passed since it was
-- seen.
-- Rules: SETTLE-8, LATE-1
create or replace function facts_of_payments(o orders, p_facts settlement_facts)
returns settlement_facts language plpgsql as $$
declare f settlement_facts := p_facts;
begin
  with parts as (
    select p.id, p.amount - p.owed as part, p.confirmed, p.block_height is not null as is_mined,
           -- Once shown by as many nodes as it needed, whatever else comes to its address.
           p.first_seen_at is not null or not p.needs_second or p.verified_hash = p.block_hash as is_shown,
           first_seen_of(p) as at,
           coalesce(p.mined_at + (f.rules).forget_after, p.seen_at + (f.rules).confirm_within) as wait_until
      from payments p where p.order_id = o.id and p.alive and p.amount > p.owed
  ), known as (
    select *, at <= f.expires_at as in_time, not confirmed and (is_mined or wait_until > f.now) as expected,
           sum(part) filter (where confirmed and at > f.expires_at) over (order by at, id) as late_so_far,
           sum(part) filter (where confirmed and at > f.expires_at) over () as late
      from parts
  )
  select coalesce(sum(part) filter (where confirmed), 0),
         coalesce(sum(part) filter (where confirmed and in_time), 0),
         coalesce(sum(part) filter (where expected), 0),
         coalesce(sum(part) filter (where expected and in_time), 0),
         coalesce(sum(part) filter (where expected and in_time and is_mined and is_shown), 0),
         coalesce(bool_or(is_mined), false), min(wait_until) filter (where expected and wait_until > f.now),
         min(at) filter (where not in_time and (confirmed or expected)),
         min(at) filter (where confirmed and not in_time and late_so_far >= late * (f.rules).covered_share)
    into f.confirmed, f.in_time, f.expected, f.expected_in_time, f.in_time_shown, f.is_mined,
         f.waits_until, f.first_late_at, f.late_at
    from known;
  return f;
end $$;

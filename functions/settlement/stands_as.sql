-- Returns whether an approved order rests on exactly the coins that j credits. Then nothing is bought anew: a
-- few millionths more for the same coins only come from how its room was cut.
-- Rules: SETTLE-1
create or replace function stands_as(o orders, p_payments judged_payment[], j judgement) returns boolean
language sql stable as $$
  select o.status = 'approved' and j.credited = array(select x.credited from unnest(p_payments) x)
     and j.coins = (select coalesce(sum(credited), 0) from payments where order_id = o.id)
$$;

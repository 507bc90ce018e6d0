-- Returns whether j credits a payment with tokens in a round (is_in_round) less than now. Payments missing
-- in p_payments are credited 0.
-- Rules: DELIVER-29
create or replace function takes_from_rounds(o orders, p_payments judged_payment[], j judgement)
returns boolean language sql stable as $$
  select exists (select from payments p
                   left join unnest(array(select x.id from unnest(p_payments) x), j.credited) c(id, credited)
                     on c.id = p.id
                  where p.order_id = o.id and p.credited > coalesce(c.credited, 0) and is_in_round(p))
$$;

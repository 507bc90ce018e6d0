-- True if delivery rounds have tokens of the order, and j credits a final payment of it less than it has now.
-- A round's tokens stand on final payments. What is not in p_payments is credited nothing.
-- Rules: DELIVER-27, DELIVER-29
create or replace function takes_from_rounds(o orders, p_payments judged_payment[], j judgement)
returns boolean language sql stable as $$
  select exists (select from delivery_round_parts where order_id = o.id)
     and exists (select from payments p
                   left join unnest(array(select x.id from unnest(p_payments) x), j.credited) c(id, credited)
                     on c.id = p.id
                  where p.order_id = o.id and p.final_at is not null
                    and p.credited > coalesce(c.credited, 0))
$$;

-- Until when its buyer may take an order back: its days from what was bought last, and never past the end of
-- the sale. Null where there is no such right: nothing is bought, its terms have no days, or a delivery round
-- has tokens of it.
-- Rules: BACK-1, BACK-4
create or replace function money_back_until(o orders) returns timestamptz language sql stable as $$
  select least(o.approved_at + make_interval(days => t.money_back_days), (select max(ends_at) from stages))
    from order_terms t
   where t.id = o.terms_id and t.money_back_days > 0 and o.status = 'approved'
     and not exists (select from delivery_round_parts where order_id = o.id)
$$;

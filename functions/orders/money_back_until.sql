-- Until when its buyer may take an order back: its days after operators approved it, or after a day beyond
-- its expiry where its chain does, and never past the end of the sale. Neither a payment nor the chain moves
-- that. Null if there is no such right: nothing is bought, the account is deleted, or the terms have no days.
-- Rules: BACK-1
create or replace function money_back_until(o orders) returns timestamptz language sql stable as $$
  select least((case when o.watched then o.expires_at + interval '1 day' else o.approved_at end)
               + make_interval(days => t.money_back_days), (select max(ends_at) from stages))
    from order_terms t join users u on u.id = o.user_id and u.deleted_at is null
   where t.id = o.terms_id and t.money_back_days > 0 and o.status = 'approved'
$$;

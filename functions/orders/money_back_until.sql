-- Returns until when the buyer may take an order back. The terms' days start when operators approved the
-- order, or, on chain, a day after its expiry. They end at the latest with the sale. Neither a payment nor a
-- reorg moves that time. Null if nothing is bought, the account is deleted, or the terms have no days.
-- Rules: BACK-1
create or replace function money_back_until(o orders) returns timestamptz language sql stable as $$
  select least((case when o.watched then o.expires_at + interval '1 day' else o.approved_at end)
               + make_interval(days => t.money_back_days), (select max(ends_at) from stages))
    from order_terms t join users u on u.id = o.user_id and u.deleted_at is null
   where t.id = o.terms_id and t.money_back_days > 0 and o.status = 'approved'
$$;

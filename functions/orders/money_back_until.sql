-- Returns until when the buyer may take an order back: days from the operators' approval, or for an on-chain
-- order from one day after its expiry, but no later than the last stage. A payment or a reorg never moves
-- that time. Null if the order is not approved, its account is deleted, or its terms give no days.
-- Rules: BACK-1
create or replace function money_back_until(o orders) returns timestamptz language sql stable as $$
  select least((case when o.watched then o.expires_at + interval '1 day' else o.approved_at end)
               + make_interval(days => t.money_back_days), (select max(ends_at) from stages))
    from order_terms t join users u on u.id = o.user_id and u.deleted_at is null
   where t.id = o.terms_id and t.money_back_days > 0 and o.status = 'approved'
$$;

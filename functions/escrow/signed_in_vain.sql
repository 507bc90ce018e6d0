-- Returns whether a buyer got six signatures within 24 hours for orders that nobody paid. Together they
-- reserved tokens for an hour.
-- Rules: HOLD-3
create or replace function signed_in_vain(p_user_id bigint, p_now timestamptz) returns boolean
language sql stable as $$
  select count(*) >= 6
    from escrow_signatures s join orders o on o.id = s.order_id
   where o.user_id = p_user_id and s.first_signed_at > p_now - interval '24 hours'
     and not exists (select from payments p where p.order_id = o.id and p.alive)
$$;

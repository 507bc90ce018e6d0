-- Orders that their buyers may still take back.
-- Rules: BACK-3
create or replace function orders_to_take_back() returns setof orders language sql stable as $$
  select o.* from orders o
   where o.status = 'approved' and o.terms_id in (select id from order_terms where money_back_days > 0)
     and money_back_until(o) > clock_timestamp()
$$;

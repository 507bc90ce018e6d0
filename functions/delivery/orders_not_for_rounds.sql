-- The approved orders whose tokens no round may list: those that an escrow owes, and those that a chain
-- approved by a payment which it no longer shows, or which is not deep yet.
-- Rules: DELIVER-27
create or replace function orders_not_for_rounds()
returns table (order_id bigint, user_id bigint, purchased numeric, bonus numeric) language sql stable as $$
  select * from orders_in_escrows()
  union
  select o.id, o.user_id, o.base_tokens, o.bonus_tokens
    from payments p join orders o on o.id = p.order_id
   where p.credited > 0 and (not p.alive or p.final_at is null)
     and o.status = 'approved' and o.approved_via = 'chain'
$$;

-- Returns approved orders whose money is in an escrow, or was until delivery. The escrow owes their tokens,
-- so no round may deliver them. Orders approved only by an operator are left out.
-- Rules: DELIVER-11
create or replace function orders_in_escrows()
returns table (order_id bigint, user_id bigint, purchased numeric, bonus numeric) language sql stable as $$
  select o.id, o.user_id, o.base_tokens, o.bonus_tokens
    from orders o
   where o.escrow_id is not null and o.status = 'approved'
     and exists (select from payments p
                  where p.order_id = o.id and p.address = o.place
                    and p.alive and p.block_height is not null)
$$;

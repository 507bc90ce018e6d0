-- Whether a block holds a payment of an order that is neither counted nor gone: the order waits for it,
-- however long that takes.
-- Rules: HOLD-5
create or replace function awaits_confirmation(o orders) returns boolean language sql stable as $$
  select o.status = 'pending' and o.detail = 'confirming' and exists (
    select from payments p
     where p.order_id = o.id and p.alive and p.block_height is not null and not p.confirmed)
$$;

-- The displayed state of a payment. Counted but neither credited nor owed means too little.
create or replace function payment_state(p payments) returns text language sql stable as $$
  select case
    when p.fault is not null then p.fault
    when p.failed then 'failed'
    when p.replaced_by is not null then 'replaced'
    when p.orphaned_at is not null then 'orphaned'
    when p.block_height is null then 'seen'
    when p.final_at is not null and p.credited + p.owed > 0 then 'final'
    when p.credited > 0 then 'credited'
    when p.confirmed and p.owed = 0 and (
      select is_too_little(o, p.amount, p.late_rate) from orders o where o.id = p.order_id) then 'too_little'
    else 'confirming' end
$$;

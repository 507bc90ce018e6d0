-- Writes the state of an order's payments that were final before it was settled: by then no reading of their
-- chain looks at them any more.
create or replace function write_final_states(p_order_id bigint) returns void language sql as $$
  update payments p set state = payment_state(p)
   where p.order_id = p_order_id and p.final_at is not null and p.state <> payment_state(p)
$$;

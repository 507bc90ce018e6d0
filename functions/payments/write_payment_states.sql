-- Writes each payment's state as its facts say; run after settling. What was final before is settled by its
-- order alone, which writes that (write_final_states).
create or replace function write_payment_states(p_chain text) returns void language sql as $$
  update payments p set state = payment_state(p)
   where p.chain = p_chain and p.final_at is null and p.state <> payment_state(p);
  update payments p set state = payment_state(p)
   where p.chain = p_chain and p.final_at > clock_timestamp() - interval '1 hour'
     and p.state <> payment_state(p);
  -- An escrow gives back what was final long before.
  update payments p set state = payment_state(p)
   where p.chain = p_chain and (p.returned_height is not null or p.state = 'returned')
     and p.state <> payment_state(p);
$$;

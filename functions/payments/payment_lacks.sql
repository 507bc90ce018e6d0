-- What a payment with p_confirmations still lacks to count as confirmed, where its chain is final up to
-- p_finalized: its confirmations, a final block, or the word of the second node; null where nothing. A
-- payment that its block lacked when it was read last is confirmed no more than it was; one whose block was
-- final stays confirmed, whatever is said to be final now. It says nothing of whether the payment is alive,
-- or of a fault: what is owed back by an operator has one.
create or replace function payment_lacks(p payments, p_confirmations integer, p_finalized bigint)
returns text language sql immutable as $$
  select case
    when p.block_height is null or p_confirmations < p.confirmations_needed
      or (p.lacking is not null and not p.confirmed and not p.failed) then 'confirmations'
    when p.needs_finalized and p.block_height > p_finalized and not p.confirmed then 'final_block'
    when p.needs_second and p.verified_hash is distinct from p.block_hash then 'second_node'
  end
$$;

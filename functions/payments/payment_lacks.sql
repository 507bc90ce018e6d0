-- What a payment with p_confirmations still lacks to count as confirmed on its chain c: its confirmations, a
-- final block, or the word of the second node, which has to show it in the same block, as deep and as final;
-- null where nothing. A payment that its block lacked when it was read last is confirmed no more than it was;
-- one whose block was final stays confirmed, whatever is said to be final now. It says nothing of whether the
-- payment is alive, or of a fault: what is owed back by an operator has one.
-- Rules: SETTLE-4, SETTLE-28
create or replace function payment_lacks(p payments, p_confirmations integer, c chains)
returns text language sql immutable as $$
  select case
    when p.block_height is null or p_confirmations < p.confirmations_needed
      or (p.lacking is not null and not p.confirmed and not p.failed) then 'confirmations'
    when p.needs_finalized and p.block_height > coalesce(c.finalized_height, -1) and not p.confirmed
    then 'final_block'
    when p.needs_second and (p.verified_hash is distinct from p.block_hash or not p.confirmed and (
           coalesce(c.second_height, -1) - p.block_height + 1 < p.confirmations_needed
           or p.needs_finalized and p.block_height > coalesce(c.second_finalized, -1))) then 'second_node'
  end
$$;

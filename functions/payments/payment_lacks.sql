-- Returns what a payment with p_confirmations still needs: confirmations, a final block, or the second
-- node; null if nothing. The second node must show the same block, deep and final enough by its own head. A
-- payment missing at the last read of its block can't become confirmed; a confirmed one stays so, even if
-- finality later drops. Does not check whether the payment is alive or has a fault.
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

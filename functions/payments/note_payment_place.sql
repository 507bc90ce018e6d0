-- Notes what a transfer that is known already says anew: a block, another block, or that it is back. Returns
-- the order to settle, null where nothing is new or the payment has none.
create or replace function note_payment_place(p_payment_id bigint, p_transfer chain_transfer)
returns bigint language plpgsql as $$
declare t chain_transfer := p_transfer; v_order_id bigint;
begin
  update payments p
     set block_height = coalesce(t.height, p.block_height), block_hash = coalesce(t.hash, p.block_hash),
         mined_at = case when t.height is null then p.mined_at
                         else coalesce(p.mined_at, least(clock_timestamp(), t.mined_at)) end,
         orphaned_at = null, missing_since = null, failed = t.failed, replaced_by = null,
         verified_hash = case when t.hash is null or t.hash = p.block_hash then p.verified_hash end
   where p.id = p_payment_id
     and (p.orphaned_at is not null or p.replaced_by is not null or p.failed <> t.failed
          or (t.height is not null and (p.block_height, p.block_hash) is distinct from (t.height, t.hash)))
  returning p.order_id into v_order_id;
  return v_order_id;
end $$;

-- Updates a known payment from a new report of its transfer: a first block, another block, or seen again. The
-- block's amount counts, because a transaction may move a different amount in another block. Ignores a report
-- without a block for a payment in a block, another block once enough nodes showed the payment in its own
-- (two if needs_second), anything for a final payment unless it failed, was replaced or is orphaned, and for
-- a payment that counted another amount or a failure in the same block until is_lost. A payment that had
-- failed needs the second node again. Returns the order to settle, or null if nothing changed or the payment
-- has no order.
-- Rules: SETTLE-16, SETTLE-20
create or replace function note_payment_place(
  p_payment_id bigint, t chain_transfer, p_currency_id integer
) returns bigint language plpgsql as $$
declare v_changed_order bigint; v_order_id bigint; v_is_lost boolean;
begin
  if exists (select from payments
              where id = p_payment_id and block_height is not null
                and not failed and replaced_by is null and orphaned_at is null
                and (final_at is not null
                     or t.hash <> block_hash and (not needs_second or verified_hash = block_hash))) then
    return null;
  end if;
  update payments p set lacking = lacking_until_now(p.lacking)
   where p.id = p_payment_id and p.block_hash = t.hash and (p.amount <> t.amount or t.failed)
     and not p.failed and (p.confirmed or p.credited + p.owed > 0)
  returning is_lost(p) into v_is_lost;
  if not v_is_lost then return null; end if;
  if t.height is not null then
    v_changed_order := change_payment_amount(p_payment_id, t.amount, p_currency_id);
  end if;
  update payments p
     set block_height = coalesce(t.height, p.block_height), block_hash = coalesce(t.hash, p.block_hash),
         mined_at = case when t.height is null then p.mined_at
                         when t.hash = p.block_hash
                         then coalesce(p.mined_at, least(clock_timestamp(), t.mined_at))
                         else least(clock_timestamp(), t.mined_at) end,
         orphaned_at = null, missing_since = null, replaced_by = null, final_at = null,
         lacking = null, second_lacking = null,
         verified_hash = case when not p.failed then p.verified_hash end,
         confirmed = p.confirmed and not p.failed and (t.height is null or t.hash = p.block_hash),
         failed = t.failed or (t.height is not null and p.amount <> t.amount)
   where p.id = p_payment_id and (t.height is not null or p.block_height is null)
     and (p.orphaned_at is not null or p.replaced_by is not null or p.lacking is not null
          or p.failed <> (t.failed or (t.height is not null and p.amount <> t.amount))
          or (t.height is not null and (p.block_height, p.block_hash) is distinct from (t.height, t.hash)))
  returning p.order_id into v_order_id;
  return coalesce(v_order_id, v_changed_order);
end $$;

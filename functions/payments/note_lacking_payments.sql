-- Marks payments as lacking that were recorded in block p_height and are missing from p_found ('transaction
-- output address'), a complete reading for p_assets. refresh_payments fails them once is_lost. Payments from
-- a balance are skipped.
-- Rules: SETTLE-20
create or replace function note_lacking_payments(
  p_chain text, p_height bigint, p_found text[], p_assets text[]
) returns void language sql as $$
  update payments p set lacking = lacking_until_now(p.lacking)
    from wallet_addresses a
   where p.chain = p_chain and p.block_height = p_height and p.final_at is null and not p.failed
     and p.output_key <> 'balance' and p.asset = any(p_assets) and a.address = p.address
     and p.transaction_id || ' ' || p.output_key || ' ' || a.address_key <> all(p_found)
$$;

-- The block p_height was read again, whole for p_assets, and holds the transfers p_found ('transaction output
-- address'). Notes the payments that were taken from it and are not among them: refresh_payments fails them
-- once that is a fact (is_lost). What an address's balance showed is no transfer.
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

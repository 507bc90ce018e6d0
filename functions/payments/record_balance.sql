-- Coins that a contract sent leave no transfer of their own, only a balance: what an address that never sent
-- anything holds beyond the payments known becomes one, keyed by the block p_at at which it showed. The other
-- parameters are those of record_transfer. Returns the order to settle, or null.
-- Rules: SETTLE-25
create or replace function record_balance(
  p_at chain_blocks, p_address_key text, p_balance numeric, p_order_token text, p_second_above_usd numeric,
  p_native_codes text[]
) returns bigint language plpgsql as $$
declare v_known numeric; v_order_id bigint;
begin
  select a.base_balance + coalesce(sum(p.amount), 0) into v_known
    from wallet_addresses a left join payments p
      on p.address = a.address and p.chain = p_at.chain and p.asset = 'native' and not p.failed
     and p.block_height > a.base_height and p.block_height <= p_at.height
   where a.address_key = p_address_key group by a.id;
  if v_known is null or p_balance <= v_known then return null; end if;
  select r.order_id into v_order_id
    from record_transfer(
      row(p_at.chain, 'balance:' || p_at.height, 'balance', p_address_key, 'native', p_balance - v_known,
          p_at.height, p_at.hash, p_at.mined_at, false, '{}', null)::chain_transfer,
      p_order_token, p_second_above_usd, p_native_codes) r;
  return v_order_id;
end $$;

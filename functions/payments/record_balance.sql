-- Records coins that leave no transfer, because a contract sent them: what an address holds after block p_at,
-- when it had sent p_sent transactions, beyond the expected balance (known_balances). They first restore
-- payments that a reorg removed within settlement_rules().confirm_within, with their first-seen time; the
-- rest is a new payment. A lower balance marks such payments as lacking. Writes nothing if the address sent
-- unknown transactions or its initial balance is unknown. p_native_codes as in record_transfer. Returns the
-- order to settle, or null.
-- Rules: SETTLE-16, SETTLE-20, SETTLE-2
create or replace function record_balance(
  p_at chain_blocks, p_address_key text, p_balance numeric, p_sent bigint, p_native_codes text[]
) returns bigint language plpgsql as $$
declare
  a wallet_addresses%rowtype; p payments%rowtype; v_left numeric; v_sent bigint; v_order_id bigint;
  v_seen timestamptz;
  t chain_transfer := row(p_at.chain, null, 'balance', p_address_key, 'native', 0,
                          p_at.height, p_at.hash, p_at.mined_at, false, '{}', null);
begin
  select * into a from wallet_addresses where address_key = p_address_key;
  select p_balance - k.balance, k.sent into v_left, v_sent
    from known_balances(p_at.chain, a, a.base_height, a.base_balance, a.base_sent) k
   where k.height <= p_at.height order by k.height desc limit 1;
  if v_left is null or v_sent <> p_sent then return null; end if;
  -- Transfers of the same reading may still lack their needs.
  if v_left < 0 then perform raise_payment_needs(p_at.chain); end if;
  perform note_lacking_balances(p_at.chain, a, -v_left) where v_sent = a.base_sent or v_left >= 0;
  if v_left <= 0 then return null; end if;
  for p in
    select * from payments
     where chain = p_at.chain and address = a.address and output_key = 'balance'
       and (orphaned_at is not null and not failed or failed and lacking is not null)
       and seen_at >= p_at.mined_at - (settlement_rules()).confirm_within order by seen_at, id for update
  loop
    if p.amount > v_left then
      -- The new branch has one part in this block and the rest in another.
      v_seen := p.seen_at;
      perform change_payment_amount(p.id, p.amount - v_left, p.currency_id);
      exit;
    end if;
    v_left := v_left - p.amount;
    t.amount := p.amount;
    update payments set transaction_id = name_of_balance(p_at.chain, a.address, p_at.height) where id = p.id;
    v_order_id := coalesce(note_payment_place(p.id, t, p.currency_id), v_order_id);
    exit when v_left = 0;
  end loop;
  if v_left > 0 then
    t.amount := v_left;
    t.transaction_id := name_of_balance(p_at.chain, a.address, p_at.height);
    v_order_id := coalesce(record_transfer(t, p_native_codes), v_order_id);
    update payments set seen_at = least(seen_at, v_seen)
     where chain = p_at.chain and transaction_id = t.transaction_id and address = a.address;
  end if;
  return v_order_id;
end $$;

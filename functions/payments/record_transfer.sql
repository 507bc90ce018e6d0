-- Records a transfer to one of our addresses, or an update of it (a block, another block). The payment's key
-- makes it count once. What it needs is added in the same transaction (raise_payment_needs). Its currency is
-- the address's own if the asset fits, else the chain's native coin (p_native_codes, null if the chain has no
-- tokens) before a token whose contract is not set. Returns the order, or null.
-- Rules: SETTLE-2, SETTLE-3, SETTLE-4, SETTLE-32
create or replace function record_transfer(
  t chain_transfer, p_native_codes text[], out order_id bigint
) language plpgsql as $$
declare
  a wallet_addresses%rowtype; k currencies%rowtype; o orders%rowtype; v_payment payments%rowtype;
  v_seen_at timestamptz; v_fault text; v_now timestamptz := clock_timestamp();
  v_mined_at timestamptz := case when t.height is not null then least(v_now, t.mined_at) end;
begin
  select * into a from wallet_addresses where address_key = t.address_key;
  if not found then return; end if;
  select x.* into k from currencies x
   where x.network = t.chain
     and case when t.asset = 'native' then coalesce(x.token_contract, '') = ''
              else lower(x.token_contract) = t.asset end
   order by (x.id = a.currency_id) desc, coalesce(x.code = any(p_native_codes), true) desc, x.id limit 1;
  perform take_place_of_lost(t, a.address);
  select * into v_payment from payments p
   where p.chain = t.chain and p.transaction_id = t.transaction_id and p.address = a.address
     and p.output_key = t.output_key;
  -- A payment from the balance of the transfer's block or a later one has counted its coins already.
  if (v_payment.failed or v_payment.block_height is null)
     and t.asset = 'native' and t.output_key <> 'balance' and not t.failed and t.height > a.base_height
     and exists (select from payments p
                  where p.chain = t.chain and p.address = a.address and p.output_key = 'balance'
                    and not p.failed and p.block_height >= t.height) then
    return;
  end if;
  if v_payment.id is not null then
    order_id := note_payment_place(v_payment.id, t, k.id);
    return;
  end if;

  -- A payment before the address was reserved belongs to the wallet's own past.
  if t.height <= a.base_height and t.mined_at < a.reserved_at
     and exists (select 1 from currencies where id = a.currency_id and network = t.chain) then
    return;
  end if;
  select * into o from orders where place = a.address and watched;
  order_id := o.id;
  v_seen_at := greatest(a.reserved_at, least(v_now, v_mined_at));
  v_fault := payment_fault(o.id, k.id, t.amount, v_seen_at);
  insert into payments (chain, transaction_id, output_key, address, asset, currency_id, amount, order_id,
                        user_id, block_height, block_hash, inputs, script, seen_at, mined_at, failed, fault,
                        confirmations_needed)
  values (t.chain, t.transaction_id, t.output_key, a.address, t.asset, k.id, t.amount,
          o.id, o.user_id, t.height, t.hash, t.inputs, t.script,
          v_seen_at, v_mined_at, t.failed, v_fault,
          -- A block reward has no inputs and can be spent only after 100 blocks.
          case when t.script is not null and cardinality(t.inputs) = 0 then 100 else 1 end)
  on conflict on constraint payments_counted_once do nothing returning * into v_payment;
  if not found then return; end if;
  if v_fault is null then
    perform note_order_event(order_id, 'payment_seen', 'chain', null,
      jsonb_build_object('transactionId', t.transaction_id, 'amount', t.amount::text));
  elsif v_fault <> 'dust' then
    perform tell('payment_to_decide', order_id, o.user_id, jsonb_build_object('payment', v_payment.id::text));
  end if;
end $$;

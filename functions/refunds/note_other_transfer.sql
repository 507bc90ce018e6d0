-- Stores a transfer that sends no refund beside the refund at its address that it resembles: by amount, or
-- any amount if we sent it or an operator submitted it. Operators thus see double payments, different
-- amounts and refunds paid after being written off.
-- Rules: REFUND-5, REFUND-12
create or replace function note_other_transfer(t chain_transfer, p_is_ours boolean)
returns void language plpgsql as $$
declare v_refund_id bigint;
begin
  select r.id into v_refund_id
    from refunds r join currencies k on k.id = r.currency_id
   where r.chain = t.chain and goes_to(r, t.address_key) and r.state <> 'owed'
     and (r.state <> 'written_off' or r.claimed_at is not null)
     and case when t.asset = 'native' then coalesce(k.token_contract, '') = ''
              else lower(k.token_contract) = t.asset end
     and (r.amount = t.amount or p_is_ours or r.transaction_id = t.transaction_id)
   order by coalesce(r.transaction_id = t.transaction_id, false) desc, (r.amount = t.amount) desc,
            (r.state in ('paid', 'written_off')), r.id limit 1;
  if v_refund_id is null then return; end if;
  insert into refund_transfers (refund_id, transaction_id, output_key, amount, block_height, inputs, is_ours)
  values (v_refund_id, t.transaction_id, t.output_key, t.amount, t.height, t.inputs, p_is_ours)
  on conflict (refund_id, transaction_id, output_key)
  do update set block_height = coalesce(excluded.block_height, refund_transfers.block_height);
end $$;

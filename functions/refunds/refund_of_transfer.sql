-- Returns the refund that a transfer sends, or null. Amount, coin and address must match exactly. In
-- addition, an operator submitted this transaction, or the refund is in no block and the transfer is ours, or
-- it replaces the one seen before. A transfer waiting for a block gives way only to one in a block or one
-- that spends the same inputs, because both may be on their way. Submitted transactions come first, then
-- refunds without a transaction, the oldest first. The block must be later than the debt. All coins that an
-- address got from contracts in one block send one refund (named-transfer.ts). A transaction that paid a
-- refund there by operators' word sends no other.
-- Rules: REFUND-5, REFUND-6
create or replace function refund_of_transfer(t chain_transfer, p_is_ours boolean)
returns refunds language sql as $$
  select r.*
    from refunds r join currencies k on k.id = r.currency_id
   where r.chain = t.chain and goes_to(r, t.address_key)
     and r.amount = t.amount and r.state in ('claimed', 'prepared', 'sent')
     and coalesce(t.height > r.from_height, true)
     and not exists (
           select from refunds f
            where f.chain = t.chain and f.transaction_id = t.transaction_id and f.paid_via = 'operator'
              and f.currency_id = r.currency_id and goes_to(f, t.address_key))
     and not (t.output_key = 'named' and exists (
           select from refunds f
            where f.chain = t.chain and f.block_height = t.height and f.output_key = 'named'
              and goes_to(f, t.address_key)))
     and case when t.asset = 'native' then coalesce(k.token_contract, '') = ''
              else lower(k.token_contract) = t.asset end
     and case when r.transaction_id is null then p_is_ours
              when r.transaction_id = t.transaction_id then r.output_key is null
              when r.block_height is not null then false
              when r.inputs && t.inputs then true
              else p_is_ours and t.height is not null end
   order by coalesce(r.transaction_id = t.transaction_id, false) desc,
            (r.transaction_id is null) desc, r.id
   limit 1 for update of r
$$;

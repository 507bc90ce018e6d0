-- The refund that a transfer sends, null where there is none: of exactly that amount of its coin, at the
-- address that its buyer named, and either named by an operator with this transaction, or not in a block
-- yet and the transfer is ours, or it replaces the one that was seen. One that is waiting for a block
-- gives way only to a block or to a transaction that spends the same, because both can be on their way.
-- The named ones come first, then those that nothing sends yet, the oldest first. No block of before it was
-- owed holds it. What an address gained from contracts in one block sends one refund (named-transfer.ts). A
-- transaction that paid one there by the word of operators sends no other.
-- Rules: REFUND-4, REFUND-5, REFUND-7
create or replace function refund_of_transfer(p_transfer chain_transfer, p_is_ours boolean)
returns refunds language sql as $$
  select r.*
    from refunds r join currencies k on k.id = r.currency_id
   where r.chain = p_transfer.chain and goes_to(r, p_transfer.address_key)
     and r.amount = p_transfer.amount and r.state in ('claimed', 'prepared', 'sent')
     and coalesce(p_transfer.height > r.from_height, true)
     and not exists (
           select from refunds f
            where f.chain = p_transfer.chain and f.transaction_id = p_transfer.transaction_id
              and f.paid_via = 'operator' and f.currency_id = r.currency_id
              and goes_to(f, p_transfer.address_key))
     and not (p_transfer.output_key = 'named' and exists (
           select from refunds f
            where f.chain = p_transfer.chain and f.block_height = p_transfer.height
              and f.output_key = 'named' and goes_to(f, p_transfer.address_key)))
     and case when p_transfer.asset = 'native' then coalesce(k.token_contract, '') = ''
              else lower(k.token_contract) = p_transfer.asset end
     and case when r.transaction_id is null then p_is_ours
              when r.transaction_id = p_transfer.transaction_id then r.output_key is null
              when r.block_height is not null then false
              when r.inputs && p_transfer.inputs then true
              else p_is_ours and p_transfer.height is not null end
   order by coalesce(r.transaction_id = p_transfer.transaction_id, false) desc,
            (r.transaction_id is null) desc, r.id
   limit 1 for update of r
$$;

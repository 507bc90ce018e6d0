-- Returns whether we sent a transfer: it spends an output that paid us, or its sender is among the chain's
-- configured refund senders. p_sender is null if the chain has no senders.
-- Rules: REFUND-4
create or replace function is_our_transfer(p_transfer chain_transfer, p_sender text)
returns boolean language sql stable as $$
  select exists (select from unnest(p_transfer.inputs) as i(outpoint) join payments p
                     on p.chain = p_transfer.chain and p.transaction_id = split_part(i.outpoint, ':', 1)
                    and p.output_key = split_part(i.outpoint, ':', 2))
      or exists (select from chains c
                  where c.name = p_transfer.chain and lower(p_sender) = any(c.refund_senders))
$$;

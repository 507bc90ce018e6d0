-- Whether a transfer is one of ours: it spends an output that paid us, or one of the senders that
-- operators set for the chain sent it. p_sender is null where a chain has no senders.
-- Rules: REFUND-4
create or replace function is_our_transfer(p_transfer chain_transfer, p_sender text)
returns boolean language sql stable as $$
  select exists (select from unnest(p_transfer.inputs) as i(outpoint) join payments p
                     on p.chain = p_transfer.chain and p.transaction_id = split_part(i.outpoint, ':', 1)
                    and p.output_key = split_part(i.outpoint, ':', 2))
      or exists (select from chains c
                  where c.name = p_transfer.chain and lower(p_sender) = any(c.refund_senders))
$$;

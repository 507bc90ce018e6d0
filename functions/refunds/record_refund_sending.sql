-- Records a transfer to an address with a claimed refund: it sends the matching refund (refund_of_transfer)
-- or is stored beside the one it resembles. Address as in goes_to; p_sender is null if the chain has no
-- senders. We sent it if it spends an output that paid us, or its sender is configured for refunds. Returns
-- the id of the refund it sends, or null, and the orders to settle. A transfer in a block keeps its amount
-- until the block is undone or lacks it for good; one that paid a refund also keeps its block, whatever a
-- node reports. Locks: order rows → refunds.
-- Rules: REFUND-3, REFUND-5
create or replace function record_refund_sending(
  t chain_transfer, p_sender text, out refund_id bigint, out order_ids bigint[]
) language plpgsql as $$
declare v_is_ours boolean; r refunds%rowtype;
begin
  perform 1 from orders where id in (
    select order_id from refunds where chain = t.chain and goes_to(refunds, t.address_key)
  ) order by id for update;
  if exists (select from refunds
              where chain = t.chain and transaction_id = t.transaction_id and output_key = t.output_key
                and goes_to(refunds, t.address_key) and block_height is not null
                and (amount <> t.amount or state = 'paid' and block_height <> t.height)) then
    return;
  end if;
  if t.failed then
    order_ids := array(select forget_sending(t));
    return;
  end if;
  update refunds set block_height = coalesce(t.height, block_height), inputs = t.inputs,
                     lacking = case when t.height is null then lacking end
   where chain = t.chain and transaction_id = t.transaction_id and output_key = t.output_key
     and goes_to(refunds, t.address_key) and (t.height is null or amount = t.amount)
  returning id into refund_id;
  if found then return; end if;
  if t.height is not null then
    order_ids := array(select forget_sending(t));
  end if;
  v_is_ours := exists (select from unnest(t.inputs) as i(outpoint) join payments p
                          on p.chain = t.chain and p.transaction_id = split_part(i.outpoint, ':', 1)
                         and p.output_key = split_part(i.outpoint, ':', 2))
            or exists (select from chains where name = t.chain and lower(p_sender) = any(refund_senders));
  r := refund_of_transfer(t, v_is_ours);
  if r.id is null then
    perform note_other_transfer(t, v_is_ours);
    return;
  end if;
  refund_id := mark_refund_sent(r.id, t.transaction_id);
  update refunds set output_key = t.output_key, block_height = t.height, inputs = t.inputs, lacking = null
   where id = r.id;
  -- The transfer may be stored beside any refund at the address.
  delete from refund_transfers x using refunds f
   where f.id = x.refund_id and f.chain = t.chain and goes_to(f, t.address_key)
     and x.transaction_id = t.transaction_id and x.output_key = t.output_key;
  perform tell('order_changed', r.order_id, r.user_id) where r.order_id is not null;
end $$;

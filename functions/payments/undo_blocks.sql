-- Takes everything above p_height back: the blocks, the payments and refunds that lay in them, and what was
-- read of contracts there. A reorg below what was final stops the watcher before this, until an operator
-- resumes it. Returns the orders to settle.
create or replace function undo_blocks(p_chain text, p_height bigint)
returns setof bigint language plpgsql as $$
declare r refunds%rowtype;
begin
  delete from chain_blocks where chain = p_chain and height > p_height;
  perform forget_looks(p_chain, p_height);
  update payments set spent_by = null, spent_height = null where chain = p_chain and spent_height > p_height;
  delete from own_coins where chain = p_chain and height > p_height;
  update own_coins set spent_by = null, spent_height = null where chain = p_chain and spent_height > p_height;
  update refund_transfers x set block_height = null from refunds f
   where f.id = x.refund_id and f.chain = p_chain and x.block_height > p_height;
  for r in
    select * from refunds where chain = p_chain and block_height > p_height and state in ('sent', 'paid')
     order by id for update
  loop
    update refunds
       set state = 'sent', block_height = null, confirmations = 0, paid_at = null, paid_via = null
     where id = r.id;
    if r.state = 'paid' then
      perform post_refund(r, 'refund_unpaid');
      perform tell('refund_sent', r.order_id, r.user_id, jsonb_build_object('refund', r.id::text));
      perform set_order_detail(o.id, detail_by_refunds(o),
                               case when o.status = 'approved' then 'overpaid' else 'refund_due' end,
                               jsonb_build_object('lost', r.transaction_id))
         from orders o
        where o.id = r.order_id and o.detail in ('credited', 'approved_by_operator', 'refunded');
    end if;
    perform tell('order_changed', r.order_id, r.user_id);
  end loop;
  return query
  update payments
     set block_height = null, block_hash = null, mined_at = null, orphaned_at = clock_timestamp(),
         confirmed = false, confirmations = 0, verified_hash = null, final_at = null
   where chain = p_chain and block_height > p_height
  returning payments.order_id;
end $$;

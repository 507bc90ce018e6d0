-- Undoes everything above p_height: blocks, payments, refunds, returns by escrows, and readings of contracts.
-- A refund may then be paid in any block of the new branch. Returns the orders to settle. Locks: order rows →
-- refunds.
-- Rules: SETTLE-16, SETTLE-18, DELIVER-11
create or replace function undo_blocks(p_chain text, p_height bigint)
returns setof bigint language plpgsql as $$
declare r refunds%rowtype;
begin
  perform 1 from orders where id in (
    select order_id from refunds where chain = p_chain and (block_height > p_height or from_height > p_height)
  ) order by id for update;
  delete from chain_blocks where chain = p_chain and height > p_height;
  update chains set finalized_height = p_height where name = p_chain and finalized_height > p_height;
  update chains
     set balances_read_to = (select least(balances_read_to, b.mined_at) from chain_blocks b
                              where b.chain = p_chain and b.height = p_height)
   where name = p_chain and balances_read_to is not null;
  perform forget_looks(p_chain, p_height);
  update payments set spent_by = null, spent_height = null where chain = p_chain and spent_height > p_height;
  delete from second_words where chain = p_chain and height > p_height;
  delete from own_coins where chain = p_chain and height > p_height;
  delete from coins_sent where chain = p_chain and height > p_height;
  update own_coins set spent_by = null, spent_height = null where chain = p_chain and spent_height > p_height;
  update refund_transfers x set block_height = null from refunds f
   where f.id = x.refund_id and f.chain = p_chain and x.block_height > p_height;
  update refunds set from_height = p_height where chain = p_chain and from_height > p_height;
  -- Initial balances are asked again, at a block that stays, on chains where coins can appear in a balance
  -- only.
  update wallet_addresses a set base_height = p_height, base_balance = null, base_sent = null
    from currencies k join chains c on c.name = k.network
   where k.id = a.currency_id and c.name = p_chain and c.family = 'evm' and a.base_height > p_height;
  for r in
    select * from refunds where chain = p_chain and block_height > p_height and state in ('sent', 'paid')
     order by id for update
  loop
    perform undo_refund(r);
  end loop;
  -- A payment that became final after its return was never confirmed; it is judged again.
  return query
  update payments
     set returned_by = null, returned_height = null, return_lacking = null,
         final_at = case when confirmed then final_at end,
         fault = case when fault <> 'returned' then fault end
   where chain = p_chain and returned_height > p_height
  returning payments.order_id;
  -- A payment from a balance has its block in its name; it frees that name for others.
  return query
  update payments
     set transaction_id = case when output_key = 'balance' then 'balance:gone:' || id else transaction_id end,
         block_height = null, block_hash = null, mined_at = null, orphaned_at = clock_timestamp(),
         confirmed = false, confirmations = 0, verified_hash = null, final_at = null,
         lacking = null, second_lacking = null
   where chain = p_chain and block_height > p_height
  returning payments.order_id;
end $$;

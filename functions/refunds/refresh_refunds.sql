-- Updates the confirmations of sent refunds. A refund is paid, in the ledger too, if the last read of its
-- block showed the transfer and it has the confirmations, finality and second node that its USD need. Locks:
-- order rows → refunds.
-- Rules: REFUND-3
create or replace function refresh_refunds(p_chain text, p_height bigint) returns void language plpgsql as $$
declare
  r refunds%rowtype;
  v_finalized bigint := coalesce((select finalized_height from chains where name = p_chain), -1);
begin
  perform 1 from orders where id in (
    select order_id from refunds where chain = p_chain and state = 'sent' and block_height is not null
  ) order by id for update;
  for r.order_id, r.user_id in
    with moved as (
      update refunds set confirmations = greatest(0, p_height - block_height + 1)::integer
       where chain = p_chain and state = 'sent' and block_height is not null
         and confirmations <> greatest(0, p_height - block_height + 1)
      returning order_id, user_id
    ) select distinct order_id, user_id from moved
  loop
    perform tell('order_changed', r.order_id, r.user_id);
  end loop;
  for r in
    select f.* from refunds f, lateral confirmations_needed(p_chain, f.usd) c
     where f.chain = p_chain and f.state = 'sent' and f.block_height is not null and f.lacking is null
       and f.confirmations >= c.needed and (not c.finalized or f.block_height <= v_finalized)
       and (not c.second
            or second_agrees('refund', f.id, f.block_height, c.needed, c.finalized))
     order by f.id for update of f
  loop
    update refunds set state = 'paid', paid_at = clock_timestamp(), paid_via = 'chain' where id = r.id
    returning * into r;
    perform post_refund(r, 'refund_paid');
  end loop;
end $$;

-- Checks refunds after their block was read again, with all its transfers of p_assets. Element n of each
-- array is transfer n; p_addresses as in goes_to. A refund without its transfer is marked as lacking. After
-- readings at least an hour apart, by both nodes if needs_second, it becomes sent again. Refunds found by a
-- submitted transaction are skipped, because blocks don't list their transfers. Locks: order rows → refunds.
-- Rules: REFUND-5
create or replace function undo_lacking_refunds(
  p_refund_ids bigint[], p_assets text[], p_transaction_ids text[], p_output_keys text[],
  p_addresses text[], p_amounts numeric[]
) returns void language plpgsql as $$
declare r refunds%rowtype;
begin
  perform 1 from orders where id in (select order_id from refunds where id = any(p_refund_ids))
   order by id for update;
  for r in
    select f.* from refunds f join currencies k on k.id = f.currency_id
     where f.id = any(p_refund_ids) and f.block_height is not null and f.state in ('sent', 'paid')
       and f.output_key <> 'named' and coalesce(nullif(lower(k.token_contract), ''), 'native') = any(p_assets)
       and not exists (
         select from unnest(p_transaction_ids, p_output_keys, p_addresses, p_amounts)
                     as t(transaction_id, output_key, address, amount)
          where t.transaction_id = f.transaction_id and t.output_key = f.output_key and t.amount = f.amount
            and goes_to(f, t.address))
     order by f.id for update of f
  loop
    update refunds set lacking = lacking_until_now(lacking) where id = r.id returning * into r;
    if lacks_for_good(r.lacking)
       and (not (confirmations_needed(r.chain, r.usd)).second
            or exists (select from second_words w
                        where w.subject = 'refund' and w.id = r.id and lacks_for_good(w.lacking))) then
      perform undo_refund(r);
    end if;
  end loop;
end $$;

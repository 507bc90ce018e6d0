-- Moves a payment that is in no block, or failed, onto a transfer that shares an input, the asset and the
-- address: it takes the transfer's transaction id, output, inputs and script, so the coins buy or are owed
-- once. Only payments whose effect stays although the chain lost them: a round lists their tokens, or a chain
-- showed the transfer of their refund. A payment already recorded for the transfer takes the lost one's
-- values and is marked replaced. Does nothing if the transfer failed, or its payment is credited or owed.
-- Rules: SETTLE-2, DELIVER-29, REFUND-12
create or replace function take_place_of_lost(t chain_transfer, p_address text) returns void
language plpgsql as $$
declare p payments%rowtype; k payments%rowtype;
begin
  select * into p from payments x
   where x.address = p_address and x.chain = t.chain and x.asset = t.asset and x.inputs && t.inputs
     and x.transaction_id <> t.transaction_id and (x.block_height is null or x.failed)
     and (is_in_round(x) or exists (
           select from refunds r
            where r.payment_id = x.id
              and (r.state = 'paid'
                   or r.state = 'sent' and (r.output_key is not null or r.block_height is not null))))
   order by x.id limit 1;
  if not found or t.failed then return; end if;
  select * into k from payments x
   where x.chain = t.chain and x.transaction_id = t.transaction_id and x.address = p_address
     and x.output_key = t.output_key;
  if k.credited + k.owed > 0 then return; end if;
  -- The two swap unique keys; a temporary id avoids the conflict.
  update payments set transaction_id = 'lost:' || id where id = p.id;
  update payments
     set transaction_id = p.transaction_id, output_key = p.output_key, amount = p.amount, inputs = p.inputs,
         script = p.script, replaced_by = t.transaction_id
   where id = k.id;
  -- `credited = credited` fires the trigger that publishes a credited payment again.
  update payments
     set transaction_id = t.transaction_id, output_key = t.output_key, inputs = t.inputs, script = t.script,
         credited = credited
   where id = p.id;
end $$;

-- Marks a refund as paid on operators' word, by a transaction that the watcher can't match: from inside a
-- contract, less a fee, or on a chain that is not followed. Returns the refund's id, or null if it is not
-- claimed or a block holds a transaction that pays it.
-- Rules: REFUND-6
create or replace function pay_refund_by_word(p_refund_id bigint, p_transaction_id text)
returns bigint language plpgsql as $$
declare r refunds%rowtype;
begin
  update refunds
     set transaction_id = p_transaction_id, output_key = null, inputs = '{}', confirmations = 0,
         named_at = coalesce(named_at, clock_timestamp()),
         state = 'paid', paid_at = clock_timestamp(), paid_via = 'operator'
   where id = p_refund_id and state in ('claimed', 'prepared', 'sent') and block_height is null
  returning * into r;
  if not found then return null; end if;
  perform post_refund(r, 'refund_paid');
  return r.id;
end $$;

-- Posts a refund's amount in its coin, records what the order's page shows of it, and tells the buyer:
-- refund_owed (received → refunds_owed), refund_paid (refunds_owed → refunds_paid), and their reversals
-- refund_written_off and refund_unpaid, which the buyer reads as sent.
-- Rules: LEDGER-1, REFUND-1, REFUND-6
create or replace function post_refund(r refunds, p_kind text) returns void language plpgsql as $$
declare
  v_posting bigint;
  v_sign integer := case when p_kind in ('refund_owed', 'refund_unpaid') then 1 else -1 end;
  v_other text := case when p_kind in ('refund_paid', 'refund_unpaid') then 'refunds_paid'
                       else 'received' end;
begin
  insert into postings (kind, order_id, user_id, reason, refund_id)
  values (p_kind, r.order_id, r.user_id, r.reason, r.id) returning id into v_posting;
  insert into entries (posting_id, account, user_id, asset, amount) values
    (v_posting, v_other, null, r.currency, -v_sign * r.amount),
    (v_posting, 'refunds_owed', r.user_id, r.currency, v_sign * r.amount);
  if r.order_id is not null and p_kind in ('refund_owed', 'refund_paid') then
    perform note_order_event(
      r.order_id, p_kind, coalesce(r.paid_via, 'system'), null,
      jsonb_build_object('amount', r.amount::text, 'currency', r.currency)
        || case p_kind when 'refund_owed' then jsonb_build_object('reason', r.reason)
                       else jsonb_build_object('transactionId', r.transaction_id) end);
  end if;
  perform tell(case p_kind when 'refund_unpaid' then 'refund_sent' else p_kind end, r.order_id, r.user_id,
               jsonb_strip_nulls(jsonb_build_object(
                 'refund', r.id::text,
                 'named', case when p_kind = 'refund_owed' and r.state <> 'owed' then true end)));
end $$;

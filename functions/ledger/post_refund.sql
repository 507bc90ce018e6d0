-- Posts a refund's amount in its coin: refund_owed (received → refunds_owed), refund_paid (refunds_owed →
-- refunds_paid), and their reversals refund_written_off and refund_unpaid.
-- Rules: LEDGER-1, REFUND-1
create or replace function post_refund(p_refund refunds, p_kind text) returns void language plpgsql as $$
declare
  v_posting bigint;
  v_sign integer := case when p_kind in ('refund_owed', 'refund_unpaid') then 1 else -1 end;
  v_other text := case when p_kind in ('refund_paid', 'refund_unpaid') then 'refunds_paid'
                       else 'received' end;
begin
  insert into postings (kind, order_id, user_id, reason, refund_id)
  values (p_kind, p_refund.order_id, p_refund.user_id, p_refund.reason, p_refund.id)
  returning id into v_posting;
  insert into entries (posting_id, account, user_id, asset, amount) values
    (v_posting, v_other, null, p_refund.currency, -v_sign * p_refund.amount),
    (v_posting, 'refunds_owed', p_refund.user_id, p_refund.currency, v_sign * p_refund.amount);
end $$;

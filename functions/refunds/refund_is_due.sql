-- Returns whether a refund may go into a payout file: its address is in effect, and its payment is final in a
-- block that is not read again. A refund on operators' word has no payment on chain.
-- Rules: REFUND-8, REFUND-3
create or replace function refund_is_due(r refunds) returns boolean language sql stable as $$
  select coalesce(r.claimed_at <= clock_timestamp() - (settlement_rules()).change_address, false)
     and (r.payment_id is null
          or exists (select from payments p
                      where p.id = r.payment_id and p.final_at is not null and not is_gone(p)))
$$;

-- Whether a refund may be put into a file: the address that was named for it counts, and its payment stands
-- in a block that is not read again any more. What operators say came has no payment that a chain shows.
-- Rules: REFUND-8, REFUND-15
create or replace function refund_is_due(r refunds) returns boolean language sql stable as $$
  select coalesce(r.claimed_at <= clock_timestamp() - (settlement_rules()).change_address, false)
     and (r.payment_id is null
          or exists (select from payments p
                      where p.id = r.payment_id and p.final_at is not null and not is_gone(p)))
$$;

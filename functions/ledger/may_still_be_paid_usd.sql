-- The dollars of orders that hold nothing and may be paid all the same, each for a day at most: by a payment
-- that a reorganisation took out of its block, which the next one may hold, and by one that came before the
-- order's expiry and that nobody has seen, because its chain is not read up to there yet.
-- Rules: REFUND-10
create or replace function may_still_be_paid_usd() returns numeric language sql stable as $$
  select coalesce(sum(o.usd), 0)
    from orders o join currencies k on k.id = o.currency_id
   where o.status = 'pending' and not o.held
     and (exists (
            select from payments p
             where p.order_id = o.id and p.fault is null and not p.failed and p.replaced_by is null
               and p.orphaned_at > clock_timestamp() - (settlement_rules()).forget_after)
          or o.watched and o.detail = 'expired'
             and o.expires_at > clock_timestamp() - (settlement_rules()).confirm_within
             and not exists (
               select from chain_blocks b where b.chain = k.network and b.mined_at > o.expires_at))
$$;

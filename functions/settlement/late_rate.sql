-- Returns the rate of a payment first seen at p_at, after its order's expiry; null if it can't buy. It can't
-- if the order's stage or price was not in force, the sale was paused, the currency was off (by the
-- transparency log: switched off, paused, or without a wallet and an address), or no rate was fresh. Nor if
-- the order can be taken back, because a late purchase would have less time.
-- Rules: LATE-1, LATE-2, BACK-4
create or replace function late_rate(o orders, p_at timestamptz) returns numeric language sql stable as $$
  select r.rate from rate_at(o.currency_id, p_at) r
   where r.price_usd = o.price_usd
     and not exists (select from campaign where paused_at <= p_at)
     and not coalesce((
       select c.after is not null from campaign_changes c
        where c.setting = 'paused' and c.changed_at <= p_at order by c.id desc limit 1), false)
     and not coalesce((
       select f.said @> '{"isAccepted": false}' or f.said @> '{"isPaused": true}'
              or f.said @> '{"wallet": null, "address": ""}'
         from journal_facts f
        where f.subject = 'currencies/' || o.currency_id and f.at <= p_at order by f.id desc limit 1), false)
     and exists (select from stages where id = o.stage_id and starts_at <= p_at and ends_at > p_at)
     and not exists (select from order_terms t where t.id = o.terms_id and t.money_back_days > 0)
$$;

-- Returns the rate of a payment first seen after its order's expiry; null if in time. A payment can't buy if
-- by then the order's stage or price was not in force, the sale was paused, or the currency was off (by the
-- transparency log: switched off, paused, or without a wallet and an address), nor if the order can be taken
-- back, because a late purchase would have less time. Its rate is then minus the rate that values its coin at
-- its USD of that time, at the order's price; 0 if no rate was known. Stored once with first seen, so later
-- settings don't change it.
-- Rules: SETTLE-3, SETTLE-9, LATE-1, BACK-3
create or replace function late_rate_of(p payments) returns numeric language sql stable as $$
  select coalesce(
           case when r.price_usd = o.price_usd
                 and not exists (select from campaign where paused_at <= seen.at)
                 and not coalesce((
                   select c.after is not null from campaign_changes c
                    where c.setting = 'paused' and c.changed_at <= seen.at order by c.id desc limit 1), false)
                 and not coalesce((
                   select f.said @> '{"isAccepted": false}' or f.said @> '{"isPaused": true}'
                          or f.said @> '{"wallet": null, "address": ""}'
                     from journal_facts f
                    where f.subject = 'currencies/' || o.currency_id and f.at <= seen.at
                    order by f.id desc limit 1), false)
                 and exists (select from stages
                              where id = o.stage_id and starts_at <= seen.at and ends_at > seen.at)
                 and not exists (select from order_terms t
                                  where t.id = o.terms_id and t.money_back_days > 0)
                then r.rate end,
           round(-r.rate * r.price_usd / o.price_usd, 12), 0)
    from orders o cross join lateral (select first_seen_of(p) as at) seen
   cross join lateral rate_at(o.currency_id, seen.at) r
   where o.id = p.order_id and o.expires_at < seen.at
$$;

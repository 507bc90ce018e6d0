-- Judges requests for orders at p_now, one draft a request in their order: what the order would be, the
-- refusal of the first rule that it breaks, or the order that stands already. Reads only; create_orders says
-- what each refusal means. The sale is read once. Of a buyer's orders only those are read that are open
-- (orders_open), how many they are and what they hold, and the one that a repeat asks for: it costs the same
-- after any number of orders.
-- Rules: ORDER-2, ORDER-3, ORDER-5, ORDER-6, ORDER-7, ORDER-8, HOLD-2, STAGE-6, TEXT-20
create or replace function draft_orders(p_requests order_request[], p_open_limit integer, p_now timestamptz)
returns setof order_draft language sql stable as $$
  select r.position, q.id, q.stage_id, q.usd, q.base_tokens, q.bonus_tokens,
         c.pool_usd - s.goal_usd * (1 - (settlement_rules()).unpaid_share), q.not_held, k.code,
         p_now + make_interval(mins => case when q.watched then sale.expiry_minutes_watched
                                            else sale.expiry_minutes_fixed end),
         r.declarations || jsonb_build_object('termsVersion', sale.terms, 'risksVersion', sale.risks),
         r.idempotency_key, r.request_hash,
         case when q.id is null and o.id is null then 'quote_unknown'
              when q.id is null then 'idempotency_key_reused'
              when o.id is not null then
                case when o.request_hash is distinct from r.request_hash then 'idempotency_key_reused' end
              when q.order_id is not null then 'quote_used'
              when q.expires_at <= p_now then 'quote_expired'
              when sale.terms is null or sale.risks is null then 'sale_not_ready'
              when sale.paused_at is not null then 'sale_paused'
              when k.switched_off_at is not null then 'currency_off'
              when k.paused_at is not null then 'currency_paused'
              when p_now < s.starts_at or p_now >= s.ends_at then 'stage_closed'
              when (r.declarations ->> 'termsVersion')::integer <> sale.terms
                or (r.declarations ->> 'risksVersion')::integer <> sale.risks then 'terms_changed'
              when known.unpaid >= p_open_limit then 'too_many_open_orders'
              when p_open_limit is not null and q.not_held is null
                and q.usd > most_held_usd(u.confirmed_at, sale.order_maximum_tokens,
                                          sale.order_minimum_tokens, q.price_usd) - known.held_usd
              then 'place_not_held' end,
         o.id is not null, o.id, coalesce(o.token, r.token), o.address, o.expires_at
    from unnest(p_requests) with ordinality as r(user_id, quote_id, token, idempotency_key, request_hash,
                                                 declarations, position)
    left join quotes q on q.id = r.quote_id and q.user_id = r.user_id
    left join users u on u.id = r.user_id
    left join lateral (
      select count(*) as unpaid,
             coalesce(sum(h.usd) filter (where h.held and h.detail in ('awaiting_payment', 'underpaid')), 0)
               as held_usd
        from orders h
       where h.user_id = r.user_id and (h.held or h.detail = 'awaiting_payment')) known on true
    left join orders o on o.user_id = r.user_id and o.idempotency_key = r.idempotency_key
    left join currencies k on k.id = q.currency_id
    left join stages s on s.id = q.stage_id
    left join stage_capacity c on c.stage_id = q.stage_id
    -- As one row beforehand: else each mention of a text's version would look for it again.
    left join (select c.paused_at, c.expiry_minutes_watched, c.expiry_minutes_fixed, c.order_maximum_tokens,
                      c.order_minimum_tokens,
                      (select max(version) from legal_texts where kind = 'terms') as terms,
                      (select max(version) from legal_texts where kind = 'risks') as risks
                 from campaign c offset 0) sale on true
   order by 1
$$;

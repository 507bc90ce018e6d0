-- Judges order requests at p_now, one row each: the refusal of the first broken rule (see create_orders), or
-- the existing order of a repeat. Read-only.
-- Rules: ORDER-2, ORDER-3, ORDER-5, ORDER-6, ORDER-8, STAGE-6, TEXT-20
create or replace function draft_orders(p_requests order_request[], p_now timestamptz)
returns table (
  "position" bigint, refusal text, standing bigint, order_token text, order_address text, coin numeric,
  expires_at timestamptz, currency text, chain text, height bigint, declarations jsonb
) language sql stable as $$
  select r.ordinality,
         case when o.id is not null then
                case when o.request_hash is distinct from r.request_hash then 'idempotency_key_reused' end
              when u.deleted_at is not null then 'session_ended'
              when sale.terms is null or sale.risks is null then 'sale_not_ready'
              when sale.paused_at is not null then 'sale_paused'
              when k.switched_off_at is not null then 'currency_off'
              when k.paused_at is not null then 'currency_paused'
              when p_now < s.starts_at or p_now >= s.ends_at then 'stage_closed'
              when (r.declarations ->> 'termsVersion')::integer <> sale.terms
                or (r.declarations ->> 'risksVersion')::integer <> sale.risks then 'terms_changed'
              when r.price_usd <> sale.price_usd then 'price_changed'
              when k.watched <> r.watched or k.in_escrow <> (r.escrow_id is not null)
                or (not k.watched and k.address <> r.place)
                or (r.wallet_id is not null
                    and (k.wallet_id is distinct from r.wallet_id or c.height is null))
              then 'conflict' end,
         o.id, coalesce(o.token, r.token),
         coalesce(o.address, case when r.escrow_id is null then r.place else '' end),
         coalesce((o.asked).crypto_amount, o.crypto_amount, (r.amounts).crypto_amount),
         coalesce(o.expires_at, least(s.ends_at, p_now + make_interval(mins => sale.expiry_minutes))),
         k.code, k.network, c.height,
         r.declarations || jsonb_build_object('termsVersion', sale.terms, 'risksVersion', sale.risks)
    from unnest(p_requests) with ordinality as r
    join users u on u.id = r.user_id
    left join orders o on o.user_id = r.user_id and o.idempotency_key = r.idempotency_key
    left join currencies k on k.id = r.currency_id
    left join chains c on c.name = k.network
    left join stages s on s.id = r.stage_id
    -- `offset 0` makes PostgreSQL read the sale once, not for each mention of a version.
    left join (select c.paused_at, c.price_usd, c.expiry_minutes,
                      (select max(version) from legal_texts where kind = 'terms') as terms,
                      (select max(version) from legal_texts where kind = 'risks') as risks
                 from campaign c offset 0) sale on true
   order by 1
$$;

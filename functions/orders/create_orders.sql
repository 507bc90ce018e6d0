-- Creates orders and their addresses or places in one write; row n answers request n. Orders reserve no
-- tokens: their payments do. A repeat (same key, same hash) returns the existing order with replayed = true.
-- Refusals, in order of checking: idempotency_key_reused, session_ended (the account is deleted),
-- sale_not_ready, sale_paused, currency_off, currency_paused, stage_closed, terms_changed, price_changed (the
-- main currency's value changed), conflict (the currency's way of payment changed: ask again).
-- Rules: ORDER-2, HOLD-1
create or replace function create_orders(p_requests order_request[])
returns table (refusal text, order_id bigint, order_token text, order_address text, crypto_amount numeric,
               order_expires_at timestamptz, replayed boolean)
-- One generic plan serves every array length; planning anew took three times as long as the work. Sequential
-- scans are off, because a plan made while the tables were empty would keep scanning them.
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare v_now timestamptz; v_terms integer;
begin
  -- Serialises each buyer's new orders; in a fixed order, so that two writes can't deadlock.
  perform pg_advisory_xact_lock(hashtextextended('orders of a buyer', r.user_id))
     from (select user_id from unnest(p_requests) order by user_id) r;
  -- Keeps these accounts and currencies until the orders exist.
  perform from users where id in (select user_id from unnest(p_requests)) order by id for key share;
  perform from currencies
    where id in (select currency_id from unnest(p_requests)) order by id for key share;
  v_now := clock_timestamp();
  v_terms := terms_of_now();
  return query
    with drafts as (
      select * from draft_orders(p_requests, v_now)
    ), asked as (
      select d.currency, d.expires_at, d.declarations as declared, d.height, r.*
        from drafts d join unnest(p_requests) with ordinality as r on r.ordinality = d.position
       where d.refusal is null and d.standing is null
    ), given as (
      insert into wallet_addresses (wallet_id, index, escrow_id, order_key, address, address_key, currency_id,
                                    base_height)
      select a.wallet_id, a.wallet_index, a.escrow_id, a.order_key, a.place, a.place_key, a.currency_id,
             case when a.wallet_id is not null then a.height end
        from asked a where a.watched
      -- The address may have become a fixed one since its reservation; its order is then rejected below.
      on conflict on constraint wallet_addresses_given_once do nothing
      returning address_key
    ), made as (
      insert into orders (token, user_id, currency_id, currency, stage_id, base_tokens, bonus_tokens,
                          bonus_percent, usd, crypto_amount, rate, price_usd, held_percent, level_key,
                          terms_id, place, escrow_id, watched, declarations, idempotency_key, request_hash,
                          created_at, updated_at, sent_at, expires_at)
      select a.token, a.user_id, a.currency_id, a.currency, a.stage_id, (a.amounts).base_tokens,
             (a.amounts).bonus_tokens, (a.amounts).bonus_percent, (a.amounts).usd,
             (a.amounts).crypto_amount, (a.amounts).rate, a.price_usd, a.held_percent, a.level_key,
             v_terms, a.place, a.escrow_id, a.watched, a.declared, a.idempotency_key, a.request_hash,
             v_now, v_now, case when a.is_sent then v_now end, a.expires_at
        from asked a
       where not a.watched or a.place_key in (select g.address_key from given g)
       order by a.ordinality
      returning id, token, user_id, sent_at
    ), told as (
      select tell_each('order_created', array_agg(m.id), array_agg(m.user_id))
        from made m where m.sent_at is not null
    )
    select case when d.refusal is null and d.standing is null and m.id is null then 'conflict'
                else d.refusal end,
           coalesce(d.standing, m.id), d.order_token, d.order_address, d.coin, d.expires_at,
           d.standing is not null
      -- PostgreSQL runs told only if it is joined.
      from told cross join drafts d left join made m on m.token = d.order_token
     order by d.position;
end $$;

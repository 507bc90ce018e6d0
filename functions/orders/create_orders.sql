-- Makes the orders of bound quotes, at most one a buyer, all in one write: row n answers request n. Refusals
-- come back by code, in the order checked here: idempotency_key_reused, quote_unknown, quote_used,
-- quote_expired, sale_not_ready, sale_paused, currency_off, currency_paused, stage_closed, terms_changed,
-- too_many_open_orders, place_not_held (though its quote said that it would be), cap_reached, supply_reached.
-- A repeat of the same request (same key, same hash) answers the order that stands, replayed = true.
-- p_open_limit is how many unpaid orders a buyer may have, null for any number, and then they may hold any
-- sum. Error 40001: a quote was withdrawn meanwhile, ask again.
-- Rules: ORDER-2, HOLD-3
create or replace function create_orders(p_requests order_request[], p_open_limit integer)
returns table (refusal text, order_id bigint, order_token text, order_address text,
               order_expires_at timestamptz, replayed boolean)
-- One plan serves every length of the arrays; planning anew for each took three times as long as the work.
-- Every row is found by a key: a plan that was made while the tables were empty would read them whole.
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_now timestamptz; v_drafts order_draft[];
  v_stage integer; v_last_stage integer; v_usd numeric; v_base numeric; v_bonus numeric;
  v_spare numeric; v_are_held boolean;
begin
  -- In one order, so that two writes that share buyers don't wait for each other in a circle.
  perform queue_up(r.user_id) from (select user_id from unnest(p_requests) order by user_id) r;
  v_now := clock_timestamp();
  select array_agg(d), min(d.stage_id) filter (where is_new), max(d.stage_id) filter (where is_new),
         sum(d.usd) filter (where is_new), sum(d.base_tokens) filter (where is_new),
         sum(d.bonus_tokens) filter (where is_new), min(d.spare_usd)
    into v_drafts, v_stage, v_last_stage, v_usd, v_base, v_bonus, v_spare
    from draft_orders(p_requests, p_open_limit, v_now) d,
         lateral (select d.refusal is null and not d.replayed and d.not_held is null as is_new) n;
  -- Far from the limit of unpaid orders nobody waits: as much again on every connection would not reach it.
  v_are_held := case
    when v_stage is null then true
    when v_stage <> v_last_stage then false
    when v_spare < v_usd * slot_count() and places_are_scarce(v_stage, v_usd * slot_count()) then false
    else take_capacity(v_stage, v_usd, v_base, v_bonus) is null end;
  if not v_are_held then
    v_drafts := hold_drafts(v_drafts);
  end if;

  return query
    with served as (
      update quotes q set order_id = nextval('orders_id_seq')
        from unnest(v_drafts) d
       where d.refusal is null and not d.replayed and q.id = d.quote_id and q.order_id is null
         and q.expires_at > v_now
      returning q.id, q.order_id, q.user_id, q.currency_id, q.stage_id, q.base_tokens, q.bonus_tokens,
                q.bonus_percent, q.crypto_amount, q.usd, q.price_usd, q.rate,
                shown_address(q) as address, q.watched, d.position, d.currency, d.order_token,
                d.not_held, d.declarations, d.idempotency_key, d.request_hash, d.expires_at
    ), made as (
      insert into orders (id, token, user_id, quote_id, currency_id, currency, stage_id, base_tokens,
                          bonus_tokens, bonus_percent, crypto_amount, usd, price_usd, rate, address, watched,
                          held, declarations, idempotency_key, request_hash, created_at, updated_at,
                          expires_at)
      select s.order_id, s.order_token, s.user_id, s.id, s.currency_id, s.currency, s.stage_id, s.base_tokens,
             s.bonus_tokens, s.bonus_percent, s.crypto_amount, s.usd, s.price_usd, s.rate, s.address,
             s.watched, s.not_held is null, s.declarations, s.idempotency_key, s.request_hash, v_now, v_now,
             s.expires_at
        from served s
    ), told as (
      select tell_each('order_created', array_agg(s.order_id), array_agg(s.user_id)) from served s
    )
    select case when d.refusal is null and not d.replayed and s.id is null then quote_withdrawn()
                else d.refusal end,
           coalesce(d.order_id, s.order_id), d.order_token, coalesce(d.order_address, s.address),
           coalesce(d.order_expires_at, d.expires_at), d.replayed
      -- Nobody reads what told answers, but a query that nobody joins is left out.
      from told cross join unnest(v_drafts) d left join served s on s.position = d.position
     order by d.position;
end $$;

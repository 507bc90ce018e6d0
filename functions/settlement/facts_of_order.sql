-- Gathers what settlement_of decides from. Reads only.
-- Rules: SETTLE-3, LATE-2
create or replace function facts_of_order(o orders) returns settlement_facts language plpgsql as $$
declare f settlement_facts;
begin
  f.status := o.status; f.approved_via := o.approved_via; f.detail := o.detail; f.held := o.held;
  f.expires_at := o.expires_at; f.late_choice := o.late_choice;
  f.declare_by := case when o.declared_at is null then o.declare_by end;
  f.refusals := '{}'; f.rules := settlement_rules(); f.now := clock_timestamp();
  select q.crypto_amount, q.base_tokens, q.bonus_tokens, q.bonus_percent,
         coalesce(q.held_percent, q.bonus_percent), q.not_held is null, q.usd, q.price_usd, q.rate,
         q.stage_id, s.ends_at,
         c.order_minimum_tokens, c.order_maximum_tokens, c.settings -> 'levels', k.coin_decimals
    into f.asked, f.base_tokens, f.bonus_tokens, f.bonus_percent,
         f.held_percent, f.holds_unpaid, f.usd, f.price_usd, f.rate, f.stage_id, f.stage_ends_at,
         f.minimum_tokens, f.maximum_tokens, f.levels, f.coin_decimals
    from quotes q join stages s on s.id = q.stage_id join currencies k on k.id = q.currency_id
   cross join campaign c where q.id = o.quote_id;
  -- What is back in a block so late that it counts from then is no longer what the order stands on, either.
  select coalesce(sum(p.credited) filter (where not p.alive or p.block_height is null
                                             or payment_counts_from(p) > p.credited_from), 0)
    into f.lost from payments p where p.order_id = o.id;
  f.refunds := refunds_of_order(o.id);
  f := facts_of_payments(o, f);
  -- Tokens are chosen for what had come by then, at the rate of then: what comes later is decided for itself.
  if o.status = 'pending' and o.late_choice = 'tokens' and exists (
       select from payments p where p.order_id = o.id and p.alive and p.confirmed and p.amount > p.owed
          and greatest(payment_counts_from(p), o.declared_at) > o.late_choice_at) then
    f.late_choice := null;
  end if;
  if f.late_at is not null then
    f.late_at := case when f.late_choice = 'tokens' then o.late_choice_at else f.late_at end;
    select r.rate, r.price_usd into f.late_rate, f.late_price_usd from rate_at(o.currency_id, f.late_at) r;
    select id into f.late_stage_id from stages
     where starts_at <= f.late_at and ends_at > f.late_at and not sale_was_paused(f.late_at);
  end if;
  return f;
end $$;

-- Gathers what settlement_of decides from. Reads only.
create or replace function facts_of_order(o orders) returns settlement_facts language plpgsql as $$
declare f settlement_facts; v_late_at timestamptz;
begin
  f.status := o.status; f.approved_via := o.approved_via; f.detail := o.detail; f.held := o.held;
  f.expires_at := o.expires_at; f.late_choice := o.late_choice;
  f.refusals := '{}'; f.rules := settlement_rules(); f.now := clock_timestamp();
  select q.crypto_amount, q.base_tokens, q.bonus_tokens, q.bonus_percent,
         coalesce(q.held_percent, q.bonus_percent), q.usd, q.price_usd, q.rate, q.stage_id, s.ends_at,
         c.order_minimum_tokens, c.order_maximum_tokens, c.settings -> 'levels'
    into f.asked, f.base_tokens, f.bonus_tokens, f.bonus_percent,
         f.held_percent, f.usd, f.price_usd, f.rate, f.stage_id, f.stage_ends_at,
         f.minimum_tokens, f.maximum_tokens, f.levels
    from quotes q join stages s on s.id = q.stage_id cross join campaign c where q.id = o.quote_id;
  select count(*) filter (where p.alive),
         coalesce(sum(p.amount - p.owed) filter (where p.alive), 0),
         coalesce(sum(p.amount - p.owed) filter (where p.alive and p.confirmed), 0),
         coalesce(sum(p.amount - p.owed)
                  filter (where p.alive and p.confirmed and payment_counts_from(p) <= o.expires_at), 0),
         coalesce(bool_or(p.block_height is not null) filter (where p.alive), false),
         min(payment_counts_from(p)) filter (where p.alive),
         min(p.seen_at + (f.rules).confirm_within) filter (where p.alive and p.block_height is null),
         coalesce(sum(p.credited) filter (where not p.alive or p.block_height is null), 0)
    into f.payments, f.seen, f.confirmed, f.in_time, f.is_mined, f.first_at, f.waits_until, f.lost
    from payments p where p.order_id = o.id;
  if f.first_at > f.expires_at then
    v_late_at := case when o.late_choice = 'tokens' then o.late_choice_at else f.first_at end;
    select r.rate, r.price_usd into f.late_rate, f.late_price_usd from rate_at(o.currency_id, v_late_at) r;
    f.late_stage_id := case when o.late_choice = 'tokens'
      then (select id from stages where starts_at <= v_late_at and ends_at > v_late_at) else f.stage_id end;
  end if;
  return f;
end $$;

-- Gathers what settlement_of decides from. Writes nothing; keeps the buyer's account from being deleted until
-- the order is settled.
-- Rules: SETTLE-3, LATE-1
create or replace function facts_of_order(o orders) returns settlement_facts language plpgsql as $$
declare f settlement_facts; a order_amounts := asked_of(o);
begin
  f.status := o.status; f.detail := o.detail; f.held := o.held;
  f.expires_at := o.expires_at;
  f.is_signed := o.escrow_id is not null and may_be_paid_in_escrow(o.id);
  f.has_buyer := exists (select from users where id = o.user_id and deleted_at is null for key share);
  f.refusals := '{}'; f.rules := settlement_rules(); f.now := clock_timestamp();
  f.asked := a.crypto_amount; f.base_tokens := a.base_tokens; f.bonus_tokens := a.bonus_tokens;
  f.bonus_percent := a.bonus_percent; f.held_percent := o.held_percent; f.usd := a.usd;
  f.price_usd := o.price_usd; f.rate := a.rate; f.stage_id := o.stage_id;
  f.bought := case when o.status = 'approved' then o.base_tokens end;
  select c.order_minimum_tokens, c.order_maximum_tokens, c.settings -> 'levels', k.coin_decimals
    into f.minimum_tokens, f.maximum_tokens, f.levels, f.coin_decimals
    from currencies k cross join campaign c where k.id = o.currency_id;
  select coalesce(sum(p.credited) filter (where not p.alive or p.block_height is null), 0)
    into f.lost from payments p where p.order_id = o.id;
  f.refunds := refunds_of_order(o.id);
  f := facts_of_payments(o, f);
  if f.late_at is not null then
    select r.rate into f.late_rate from rate_at(o.currency_id, f.late_at) r
     where r.price_usd = f.price_usd and not sale_was_paused(f.late_at)
       and exists (select from stages
                    where id = f.stage_id and starts_at <= f.late_at and ends_at > f.late_at);
  end if;
  return f;
end $$;

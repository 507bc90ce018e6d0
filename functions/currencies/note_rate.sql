-- Notes a rate of a currency that is in force from now on, with the main currency value in force with it.
-- p_price_usd is what a source gave for one coin, p_reading_id the reading it was taken from; null where the
-- rate has none. What was read by a source counts as read now; a rate that is rescaled with the main value
-- keeps when it was read; what people set was not read. The only function that writes currency_rates.
-- Rules: RATE-8
create or replace function note_rate(
  p_currency_id integer, p_rate numeric, p_price_usd numeric, p_reason text, p_reading_id bigint default null
) returns void language plpgsql as $$
begin
  insert into currency_rates (currency_id, rate, price_usd, main_usd, reason, reading_id, source, read_at)
  select p_currency_id, p_rate, p_price_usd, c.price_usd, p_reason, p_reading_id, k.rate_source,
         case when p_reason in ('feed', 'refresh') then clock_timestamp()
              when p_reason = 'price' then last.read_at end
    from campaign c join currencies k on k.id = p_currency_id
    left join lateral (select coalesce(r.read_at, case when r.source is null then r.from_at end) as read_at
                         from currency_rates r where r.currency_id = k.id
                        order by r.from_at desc, r.id desc limit 1) last on true;
end $$;

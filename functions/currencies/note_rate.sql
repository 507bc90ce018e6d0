-- Records a currency's rate from now on, with the current main currency value. The only function that writes
-- currency_rates.
-- p_price_usd, p_reading_id: the source's price of one coin and its reading; null if there is none.
-- The column read_at is now for a source's rate, unchanged for one rescaled with the main value, and null for
-- one set by people.
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

-- Notes a rate of a currency that is in force from now on, with the main currency value in force with it.
-- p_price_usd is what a source gave for one coin, p_reading_id the reading it was taken from; null where the
-- rate has none. The only function that writes currency_rates.
create or replace function note_rate(
  p_currency_id integer, p_rate numeric, p_price_usd numeric, p_reason text, p_reading_id bigint default null
) returns void language plpgsql as $$
begin
  insert into currency_rates (currency_id, rate, price_usd, main_usd, reason, reading_id)
  values (p_currency_id, p_rate, p_price_usd, (select price_usd from campaign), p_reason, p_reading_id);
end $$;

-- functions/currencies/note_rate.sql writes main_usd now: what a row holds is said where it is written.
drop trigger currency_rates_note_main_value on currency_rates;
drop function note_main_value();
comment on column currency_rates.main_usd is 'The main currency value in force with this rate; null for a row of a process that was older than note_rate().';

-- Whether a rate was set by hand or read by a feed, and when it was read: a rate set by hand is no fresh one of a feed.
alter table currency_rates add column source text, add column read_at timestamptz;
comment on column currency_rates.source is 'What set the currency''s rates from then on, manual or feed; null for a row that is older than this column.';
comment on column currency_rates.read_at is 'When a source gave the price behind it; a rescaled rate keeps it. Null where nobody read one.';

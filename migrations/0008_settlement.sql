-- What orders are settled from, beside what stood with their quotes.

alter table quotes add column held_percent numeric(5, 2);
comment on column quotes.held_percent is 'The bonus per cent of the level that the buyer held when the quote was made; null in older quotes, '
  'which keep bonus_percent for whatever is paid.';

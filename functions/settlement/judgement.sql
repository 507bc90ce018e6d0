-- The purchase of an order's payments, by judge. credited: coins used of each payment, in their order; coins:
-- their sum, with at least 6 decimals. rate: tokens for one coin.
create type judgement as (
  base_tokens numeric, bonus_tokens numeric, bonus_percent numeric, usd numeric, rate numeric,
  coins numeric, credited numeric[]
);

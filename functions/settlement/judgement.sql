-- What payments of an order buy, by judge. credited: how much coin of each of them is bought with, in their
-- order; coins: of all, with at least 6 decimals. rate: tokens for one coin.
create type judgement as (
  base_tokens numeric, bonus_tokens numeric, bonus_percent numeric, usd numeric, rate numeric,
  coins numeric, credited numeric[]
);

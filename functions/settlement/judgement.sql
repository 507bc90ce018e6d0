-- What payments of an order buy, by judge. credited: how much coin of each of them is bought with, in their
-- order; coins: of all. rate: tokens for one coin. crypto_amount: the coins, as the order shows them.
create type judgement as (
  base_tokens numeric, bonus_tokens numeric, bonus_percent numeric, usd numeric, rate numeric,
  crypto_amount numeric, coins numeric, credited numeric[]
);

-- What an order should be, by settlement_of. act: keep (approved); buy_more (approved, and more was paid in
-- time); refuse (rejected); take_back (what it was credited with is gone: debit it and decide again); wait
-- (pending, with detail); approve (with these amounts)
-- credited: how much coin its payments are credited with; what they brought beyond it is owed
-- owed_because: why what is left of its confirmed payments is owed back, null where it is not
-- owed_until: where it waits, of those that count from no later than this
-- is_released: whether it lets go what it holds
-- takes_place: whether it holds its place from now on, if there is room and it does not yet
-- look_again_at: when a window ends, though no payment changes; never in the past
create type settlement as (
  act text, detail text, event text, base_tokens numeric, bonus_tokens numeric, bonus_percent numeric,
  usd numeric, crypto_amount numeric, rate numeric,
  credited numeric, owed_because text, owed_until timestamptz, is_released boolean,
  takes_place boolean, look_again_at timestamptz
);

-- All that the settlement of an order is decided from, at the time `now`; facts_of_order gathers it.
create type settlement_facts as (
  -- Of the order. is_signed: whether its payment to an escrow is signed and may still be made.
  -- has_buyer: whether its account stands.
  status text, detail text, held boolean, expires_at timestamptz, is_signed boolean, has_buyer boolean,
  -- What was asked in coin, what for, and the bonus of the level that its buyer held.
  asked numeric, base_tokens numeric, bonus_tokens numeric, bonus_percent numeric, held_percent numeric,
  usd numeric, price_usd numeric, rate numeric, stage_id integer,
  -- The base tokens that it has, where it is approved.
  bought numeric,
  -- Of its payments that stand, less what of them is owed back. Confirmed: all, and those that count from
  -- before the expiry.
  confirmed numeric, in_time numeric,
  -- Not confirmed yet and worth waiting for: the same; in_time_shown is in a block that as many nodes show as
  -- it needs.
  expected numeric, expected_in_time numeric, in_time_shown numeric,
  is_mined boolean,
  -- When the first of them is looked at again: from then on one that no block holds is not waited for.
  waits_until timestamptz,
  -- When the first of the late ones counts from, and when nine tenths of those confirmed had been seen.
  first_late_at timestamptz, late_at timestamptz,
  -- What was credited and stands no more; and its refunds: open, paid, or
  -- null where there are none.
  lost numeric, refunds text,
  -- The rate at late_at; null where the order's stage or price was not in force then, the sale was paused,
  -- or no rate was fresh.
  late_rate numeric,
  -- The campaign's limits of an order and its levels, the decimals of the coin, and why amounts that were
  -- tried before had no room, in their order.
  minimum_tokens numeric, maximum_tokens numeric, levels jsonb, coin_decimals integer, refusals text[],
  rules settlement_limits, now timestamptz
);

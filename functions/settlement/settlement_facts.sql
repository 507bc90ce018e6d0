-- All that the settlement of an order is decided from, at the time `now`; facts_of_order gathers it.
create type settlement_facts as (
  -- Of the order.
  status text, approved_via text, detail text, held boolean, expires_at timestamptz, late_choice text,
  -- Of its quote: what was asked in coin, what for, and the bonus of the level that its buyer held.
  asked numeric, base_tokens numeric, bonus_tokens numeric, bonus_percent numeric, held_percent numeric,
  usd numeric, price_usd numeric, rate numeric, stage_id integer,
  -- Of its payments that stand, less what of them is owed back: how many, what was seen, what is confirmed,
  -- what is confirmed and was seen before the expiry, whether a block has one, when the first one counts
  -- from, and until when one without a block keeps that time. Lost is what was credited and stands no more.
  payments integer, seen numeric, confirmed numeric, in_time numeric, is_mined boolean, first_at timestamptz,
  waits_until timestamptz, lost numeric,
  -- The end of the quote's stage; and for what is paid late the terms of then, null where there are none.
  stage_ends_at timestamptz, late_rate numeric, late_price_usd numeric, late_stage_id integer,
  -- The campaign's limits of an order and its levels, and why amounts that were tried before had no room, in
  -- their order.
  minimum_tokens numeric, maximum_tokens numeric, levels jsonb, refusals text[],
  rules settlement_limits, now timestamptz
);

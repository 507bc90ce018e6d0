-- The dollars that all unpaid orders of one buyer may hold at p_price_usd: those of one largest order, of a
-- buyer whose address is not confirmed a part of that, but never less than one smallest order.
-- Rules: HOLD-2
create or replace function most_held_usd(
  p_confirmed_at timestamptz, p_largest_tokens numeric, p_smallest_tokens numeric, p_price_usd numeric
) returns numeric language sql immutable as $$
  select round(case when p_confirmed_at is not null then p_largest_tokens
                    else greatest(p_largest_tokens * (settlement_rules()).unconfirmed_share,
                                  p_smallest_tokens) end * p_price_usd, 2)
$$;

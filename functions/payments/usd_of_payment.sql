-- Returns a payment's USD: at the locked rate, or at its late rate if that is more, even if it can't buy.
-- Rules: SETTLE-4, SETTLE-9
create or replace function usd_of_payment(o orders, p payments) returns numeric language sql stable as $$
  select usd_of_coin(p.amount, greatest((asked_of(o)).rate, abs(coalesce(p.late_rate, late_rate_of(p)))),
                     o.price_usd)
$$;

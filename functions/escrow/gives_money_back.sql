-- Returns whether the sale gives money back: below its soft cap, or to buyers who take an order back. No
-- contract does.
-- Rules: DELIVER-16
create or replace function gives_money_back(c campaign) returns boolean language sql immutable as $$
  select c.settings ->> 'softCapPolicy' = 'refund'
      or coalesce((c.settings ->> 'moneyBackDays')::integer, 0) > 0
$$;

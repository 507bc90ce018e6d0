-- An order's payment as judge reads it: amount, owed part, first seen, and its late rate (late_rate_of; 0 or
-- less: it can't buy). The flag is_shown means that as many nodes as needed show it in a block.
create type judged_payment as (
  id bigint, amount numeric, owed numeric, seen_at timestamptz, late_rate numeric, is_counted boolean,
  is_shown boolean, credited numeric
);

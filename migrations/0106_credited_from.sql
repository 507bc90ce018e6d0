-- A reorganisation may bring a payment back in a much later block, from which it counts: its order is settled afresh then.
alter table payments add column credited_from timestamptz;
comment on column payments.credited_from is 'When the payment counted from as it was credited last; null for what was credited before this was noted.';

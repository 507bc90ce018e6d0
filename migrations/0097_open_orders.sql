-- What is open, by its buyer: a new order reads no others of theirs. With what it takes, so that a change of caps sums it up without the rows,
-- as it did from orders_held.
create index orders_open on orders (user_id) include (held, stage_id, usd, base_tokens, bonus_tokens)
  where held or detail = 'awaiting_payment';
drop index orders_held;

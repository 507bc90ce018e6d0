-- Orders that hold nothing until they are paid.

alter table quotes add column not_held text;
alter table quotes add constraint quotes_not_held check (not_held in ('stage', 'buyer', 'unconfirmed', 'payment'));
comment on column quotes.not_held is 'Why its order holds nothing until its payment is seen: unpaid orders hold enough of the stage, its buyer''s '
  'hold enough, those of an unconfirmed address do, or a payment makes the order. Null: it holds from its creation.';

-- An order that waits for its payment expires, whether it holds something or not.
drop index orders_to_expire;
create index orders_to_expire on orders (expires_at) where status = 'pending' and detail = 'awaiting_payment';
-- What is held by orders whose payment was seen; few at any time.
create index orders_held_and_paid on orders (stage_id) where held and detail not in ('awaiting_payment', 'underpaid');

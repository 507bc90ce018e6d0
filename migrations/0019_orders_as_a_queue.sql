-- What operators look through: the tabs of the orders' table, and orders by the time at which they were made. Each tab is an index
-- that holds its orders alone, so that a page of it, and a count up to a thousand, cost the same at any number of orders.

create index orders_by_creation on orders (created_at, id);
create index orders_waiting on orders (id) where status = 'pending' and not hidden
  and detail not in ('expired', 'refund_due', 'refunded');
create index orders_with_transaction_id on orders (id) where status = 'pending' and not hidden
  and transaction_id is not null and detail not in ('refund_due', 'refunded');
create index orders_seen_on_chain on orders (id) where status = 'pending' and not hidden
  and detail in ('seen', 'confirming', 'credited');
create index orders_late_or_odd on orders (id) where not hidden
  and detail in ('underpaid', 'overpaid', 'late', 'under_review', 'refund_due');

alter table user_notes add column order_id bigint constraint user_notes_order_known references orders (id);
comment on column user_notes.order_id is 'The order that the note is about; null: it is about the buyer.';
create index user_notes_of_order on user_notes (order_id, id desc) where order_id is not null;

-- What an order waits for beside its payments, and why it could not be settled.

alter table orders
  add column declare_by timestamptz,
  add column declared_at timestamptz,
  add column settle_failures integer not null default 0,
  add column settle_error text;
comment on column orders.declare_by is 'Until when the buyer of an order that a payment made may declare what Confirm asks for; null where nothing is missing.';
comment on column orders.declared_at is 'When that was declared: what was paid before counts from then. Null where Confirm made the order.';
comment on column orders.settle_error is 'Why settle_order failed when it was due; null once it has succeeded.';

-- Several pending orders may name one transaction, because anybody can name a stranger's; only an approved one owns it.
drop index orders_transaction_id_serves_once;
create index orders_by_transaction_id on orders (transaction_id) where transaction_id is not null;
create unique index orders_approved_own_their_transaction on orders (transaction_id)
 where transaction_id is not null and status = 'approved';

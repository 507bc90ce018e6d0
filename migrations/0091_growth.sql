-- What the overview and a change of caps read, at any number of orders.

-- No order is decided while the sums are taken and the functions that keep them come into force.
lock table orders in exclusive mode;

create table received_totals (
  currency text not null,
  day date not null,
  slot integer not null,
  amount numeric not null,
  usd numeric not null,
  orders bigint not null,
  primary key (currency, day, slot)
);
comment on table received_totals is 'What approved orders brought, by currency and by the day (UTC) on which the order was made: the sum over its slots, each of one connection, so that approvals don''t wait for one another.';
insert into received_totals (currency, day, slot, amount, usd, orders)
select currency, (created_at at time zone 'UTC')::date, 0, sum(crypto_amount), sum(usd), count(*)
  from orders where status = 'approved' group by 1, 2;

-- The tab's orders with their age, so that no row is read to count them.
drop index orders_waiting;
create index orders_waiting on orders (id) include (created_at) where status = 'pending' and not hidden
  and detail not in ('expired', 'refund_due', 'refunded');
create index orders_waiting_with_payment on orders (id) where status = 'pending' and not hidden
  and detail not in ('expired', 'refund_due', 'refunded') and (transaction_id is not null or detail <> 'awaiting_payment');
-- All that holds a place, with what it takes: a change of caps locks the pools while it sums this up.
create index orders_held on orders (stage_id) include (usd, base_tokens, bonus_tokens) where held;
-- Orders that a payment made, which their buyers declare later.
create index orders_made_by_payments on orders (id) where declare_by is not null;

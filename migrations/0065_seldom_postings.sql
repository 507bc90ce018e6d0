-- Finds the newest grant, refund or frozen round without reading past all orders.
create index postings_seldom on postings (kind, id) where kind not in ('order_approved', 'order_reversed');

-- When an escrow sent the money of an order back, apart from when it let go of it.
alter table payments
  add column refunded_by text,
  add column refunded_height bigint,
  add constraint payments_refunded check (
    (refunded_by is null) = (refunded_height is null)
    and (refunded_height is null or returned_height <= refunded_height)) not valid;
alter table payments validate constraint payments_refunded;
create index payments_refunding on payments (chain, refunded_height) where refunded_height is not null;
comment on column payments.refunded_by is 'The transaction in which its escrow sent the money back; where an order was cancelled before, that stands in `returned_by`.';

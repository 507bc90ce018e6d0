-- Addresses that buyers name for refunds, and the files that pay them, are sealed with SECRET_KEY. What an older program writes stays in the columns of before until a job has
-- sealed it; where both are there, the clear one is newer. SQL compares an address by its mark.
alter table refunds add column address_sealed bytea, add column address_mark text,
  add constraint refunds_sealed_are_marked check ((address_sealed is null) = (address_mark is null)),
  drop constraint refunds_claimed_have_an_address,
  add constraint refunds_claimed_have_an_address
    check (state in ('owed', 'written_off') or num_nonnulls(address, address_sealed) > 0);
create index refunds_clear on refunds (id) where address is not null;
comment on column refunds.address is 'Null once the address is sealed.';
comment on column refunds.address_key is 'The form in which a clear address is compared; null once it is sealed.';
comment on column refunds.address_sealed is 'Sealed with SECRET_KEY for this row''s id.';
comment on column refunds.address_mark is 'HMAC-SHA-256 of chain and address, by which a sealed address is compared.';

alter table refund_files alter column content drop not null, add column content_sealed bytea,
  add constraint refund_files_have_content check (num_nonnulls(content, content_sealed) > 0);
create index refund_files_clear on refund_files (id) where content is not null;
comment on column refund_files.content is 'Null once the file is sealed.';
comment on column refund_files.content_sealed is 'Sealed with SECRET_KEY for this row''s id.';

-- An order's history says that an address was named, and what two operators confirm says it sealed: both named it here.
update order_events e set details = e.details - 'address'
  from refunds r where r.order_id = e.order_id and e.kind = 'refund_claimed' and e.details ? 'address';
update pending_actions set summary = summary - 'address', expires_at = least(expires_at, now())
 where kind in ('refund.sent', 'refund.paid') and summary ? 'address';

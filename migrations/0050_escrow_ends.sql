-- How far an escrow is, by its last look, and the orders of an address in escrows.
alter table escrow_looks
  add column closes_at timestamptz,
  add column delivered_at timestamptz,
  add column raised jsonb not null default '[]',
  add constraint escrow_looks_delivered check ((delivered_at is not null) <= (state is not distinct from 'delivered'));
comment on column escrow_looks.closes_at is 'When payments end or ended: the seller may close earlier than the terms say.';
comment on column escrow_looks.raised is 'Money of live orders that lies there, by asset in the order of `escrows.assets`, in smallest units as text.';
create index wallet_addresses_of_payer on wallet_addresses (split_part(address, ':', 4)) where escrow_id is not null;
create index wallet_addresses_of_beneficiary on wallet_addresses (split_part(address, ':', 5)) where escrow_id is not null;

-- Where buyers' tokens go.

create table delivery_addresses (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  address text not null,
  proof text not null,
  message text,
  signature text,
  lacks_code boolean not null default false,
  named_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  counts_from timestamptz,
  withdrawn_at timestamptz,
  constraint delivery_addresses_shape check (address ~ '^0x[0-9a-fA-F]{40}$'),
  constraint delivery_addresses_proof check (proof in ('signature', 'contract', 'typed')),
  constraint delivery_addresses_signed check ((proof = 'typed') = (num_nonnulls(message, signature) = 0)),
  constraint delivery_addresses_confirmed check ((confirmed_at is null) = (counts_from is null) and counts_from >= confirmed_at)
);
create unique index delivery_addresses_one_unconfirmed on delivery_addresses (user_id)
  where confirmed_at is null and withdrawn_at is null;
create index delivery_addresses_of_user on delivery_addresses (user_id, counts_from desc, id desc) where withdrawn_at is null;
comment on table delivery_addresses is 'Every EVM address that a buyer named for the tokens; the one that counts is the newest whose time has come.';
comment on column delivery_addresses.address is 'In EIP-55 form.';
comment on column delivery_addresses.proof is 'Signed by the address itself, by a contract that stands there (EIP-1271), or typed and confirmed by mail.';
comment on column delivery_addresses.message is 'The EIP-4361 text that was signed.';
comment on column delivery_addresses.lacks_code is 'A contract has this address on another network and not on that of the delivery.';
comment on column delivery_addresses.counts_from is 'At once for the first, a day after the confirmation for a change.';
comment on column delivery_addresses.withdrawn_at is 'Taken back or replaced before its time came.';

create table delivery_challenges (
  nonce text primary key,
  user_id bigint not null references users (id) on delete cascade,
  address text not null,
  message text not null,
  expires_at timestamptz not null
);
create index delivery_challenges_of_user on delivery_challenges (user_id);
create index delivery_challenges_by_expiry on delivery_challenges (expires_at);
comment on table delivery_challenges is 'Texts to be signed; each is deleted by the answer that uses it.';

alter table one_time_links drop constraint one_time_links_purpose_known;
alter table one_time_links add constraint one_time_links_purpose_known check (
  purpose in ('confirm_email', 'change_email', 'reset_password', 'operator_invitation', 'delivery_address'));

update campaign set settings = jsonb_set(settings, '{delivery,chain}', 'null') where not settings -> 'delivery' ? 'chain';

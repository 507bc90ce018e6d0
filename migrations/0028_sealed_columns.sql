-- Buyers' names and telephones, account keys and what waits for a second operator are sealed with SECRET_KEY. What an older program writes stays in the columns of before until a job has
-- sealed it; where both are there, the clear one is newer.
alter table users add column name_sealed bytea, add column phone_sealed bytea;
alter table users add constraint users_deleted_holds_no_seal
  check (deleted_at is null or num_nonnulls(name_sealed, phone_sealed) = 0) not valid;
alter table users validate constraint users_deleted_holds_no_seal;
create index users_clear on users (id) where name <> '' or phone is not null;
comment on column users.name is 'Empty once the name is sealed.';
comment on column users.phone is 'Null once the telephone is sealed.';
comment on column users.name_sealed is 'Sealed with SECRET_KEY for this row''s reference.';
comment on column users.phone_sealed is 'Sealed with SECRET_KEY for this row''s reference.';

-- That a key is there once is found by opening them: a seal is another one each time.
alter table wallets alter column account_key drop not null, add column account_key_sealed bytea,
  add constraint wallets_have_a_key check (num_nonnulls(account_key, account_key_sealed) > 0);
comment on column wallets.account_key is 'Null once the key is sealed.';
comment on column wallets.account_key_sealed is 'Sealed with SECRET_KEY for this row''s id.';
comment on table wallets is 'Account public keys (BIP 32). No private key is ever here: it is refused before it is sealed.';
comment on column pending_actions.payload is 'What is given to the act, sealed with SECRET_KEY for this row''s id; by its mark a repeat is known.';

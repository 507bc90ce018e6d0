-- What is owed though no chain showed its payment, what is decided about payments that belong to nobody, and a
-- sale that missed its soft cap.

alter table refunds
  alter column payment_id drop not null,
  drop constraint refunds_chain_fkey,
  add constraint refunds_of_something check (payment_id is not null or order_id is not null);
comment on column refunds.payment_id is 'Null where an operator approved the order and no chain showed a payment: the approval is its word.';
create unique index refunds_by_word_once on refunds (order_id) where payment_id is null and state <> 'written_off';

alter table wallets add column origin text;
comment on column wallets.origin is 'Fingerprint of the master key and the path to the account key (BIP 380), for the unsigned transactions of refunds.';

alter table payments
  add column written_off_at timestamptz,
  add column written_off_reason text,
  add constraint payments_written_off check ((written_off_at is null) = (written_off_reason is null));
comment on column payments.written_off_at is 'When operators decided that a payment which belongs to nobody stays undecided for good: an airdrop, a token that nobody listed.';

alter table campaign
  add column soft_cap_missed_at timestamptz,
  add column soft_cap_raised_usd numeric(20, 2);
comment on column campaign.soft_cap_missed_at is 'When the last stage had ended below the soft cap of a sale that pays back then; nothing is approved after it.';
comment on column campaign.soft_cap_raised_usd is 'What was raised by then.';

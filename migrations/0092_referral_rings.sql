-- Rewards for bringing buyers: two more reasons by which accounts show to be one person's.

alter table referral_decisions
  drop constraint referral_decisions_refusal,
  add constraint referral_decisions_refusal check (refusal in (
    'account_gone', 'same_mailbox', 'same_device', 'same_payer', 'same_address', 'same_wallet', 'ring', 'country_excluded',
    'limit_reached', 'supply_reached'));
alter table referrals_found
  drop constraint referrals_found_refusal,
  add constraint referrals_found_refusal check (refusal in (
    'same_mailbox', 'same_device', 'same_payer', 'same_address', 'same_wallet', 'ring'));

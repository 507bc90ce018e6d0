import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MailKind } from '../../shared/api/mails.ts'

/** When each mail is sent. */
export const mailNames: Record<MailKind, MessageDescriptor> = {
  confirm_email: msg`An address is to be confirmed`,
  change_email: msg`A new address is to be confirmed`,
  email_changing: msg`An address is about to change`,
  reset_password: msg`A new password was asked for`,
  password_changed: msg`A password was changed`,
  new_sign_in: msg`A sign-in from a new place`,
  failed_attempts: msg`Failed attempts at an account`,
  code_used_again: msg`A code was used twice`,
  second_factor_changed: msg`A second factor was changed`,
  order_created: msg`An order was created`,
  order_approved: msg`An order was approved`,
  order_rejected: msg`An order was rejected`,
  order_underpaid: msg`A part of an order's amount is missing`,
  order_late: msg`A payment came late`,
  order_expired: msg`An order's time to pay is over`,
  wallet_changed: msg`The wallet of an open order's currency was changed`,
  refund_due: msg`Money is owed back`,
  refund_claimed: msg`An address was named for a refund`,
  refund_paid: msg`A refund was paid`,
  delivery_address_typed: msg`An address for tokens was typed`,
  delivery_address_named: msg`An address for tokens was named`,
  delivery_change_withdrawn: msg`A change of the address for tokens was taken back`,
  round_announced: msg`A delivery round lacks a buyer's address`,
  giveaway_won: msg`Somebody won a prize of the giveaway`,
  follow_confirm: msg`Somebody asked for announcements by mail`,
  announcement: msg`An announcement, to whoever follows by mail`,
  operator_invitation: msg`An operator was invited`,
  operator_link: msg`An operator gets a new link`,
  operator_password_changed: msg`An operator's password was set`,
  api_key_ends: msg`An API key ends soon`,
  operator_notice: msg`An operator is told of what happened, by own choice`,
  owner_notice: msg`Owners are told of a change or of what waits`,
}

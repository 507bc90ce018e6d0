import type { z } from 'zod'
import { languages } from '../languages.ts'
import type { mailServerInput } from './mail-templates-inputs.ts'
import type { mailDelivery, mailSchemas, mailServer, mailText, mailWords } from './mail-templates-schemas.ts'
import { executes, routes } from './route.ts'

/** Operators can edit each in each language. */
export const mailKinds = [
  'confirm_email',
  'change_email',
  'email_changing',
  'reset_password',
  'debt_link',
  'debt_claimed',
  'password_changed',
  'taken_back',
  'moved_back',
  'account_deleting',
  'account_deleted',
  'new_sign_in',
  'failed_attempts',
  'code_used_again',
  'second_factor_changed',
  'order_created',
  'order_approved',
  'order_rejected',
  'order_reversed',
  'order_underpaid',
  'wallet_changed',
  'refund_due',
  'refund_claimed',
  'refund_paid',
  'delivery_address_typed',
  'delivery_address_named',
  'delivery_change_withdrawn',
  'round_announced',
  'giveaway_won',
  'follow_confirm',
  'announcement',
  'operator_invitation',
  'operator_link',
  'operator_password_changed',
  'operator_second_factor_changed',
  'api_key_ends',
  'owner_notice',
  'operator_notice',
] as const
export type MailKind = (typeof mailKinds)[number]

const toOperators: ReadonlySet<MailKind> = new Set([
  'operator_invitation',
  'operator_link',
  'operator_password_changed',
  'operator_second_factor_changed',
  'api_key_ends',
  'owner_notice',
  'operator_notice',
])
/** Mails to buyers and followers. */
export const readerMailKinds: readonly MailKind[] = mailKinds.filter((kind) => !toOperators.has(kind))
export const mailLanguages = languages
export type MailLanguage = (typeof mailLanguages)[number]
export const mailDeliveryStates = ['sent', 'kept', 'waiting', 'failing', 'given_up'] as const

export type MailServer = z.infer<typeof mailServer>
export type MailServerInput = z.infer<typeof mailServerInput>
export type MailWords = z.infer<typeof mailWords>
export type MailText = z.infer<typeof mailText>
export type MailDelivery = z.infer<typeof mailDelivery>

export const mailRoutes = routes<typeof mailSchemas>()({
  list: { method: 'GET', path: '/operator/mail-templates', audience: { operator: 'settings:write' } },
  show: {
    method: 'GET',
    path: '/operator/mail-templates/:kind/:language',
    audience: { operator: 'settings:write' },
  },
  publish: { method: 'POST', path: '/operator/mail-templates/:kind/:language', ...executes('mail.publish') },
  preview: {
    method: 'POST',
    path: '/operator/mail-templates/:kind/:language/preview',
    ...executes('mail.preview'),
  },
  test: { method: 'POST', path: '/operator/mail-templates/:kind/:language/test', ...executes('mail.test') },
  server: { method: 'GET', path: '/operator/mail-server', audience: { operator: 'settings:write' } },
  setServer: { method: 'PUT', path: '/operator/mail-server', ...executes('mail-server.set') },
  tryServer: { method: 'POST', path: '/operator/mail-server/test', ...executes('mail-server.test') },
  resend: { method: 'POST', path: '/operator/mail-deliveries/:id/resend', ...executes('mail.resend') },
  sendWaiting: { method: 'POST', path: '/operator/mail-deliveries/resend', ...executes('mail.send-waiting') },
  deliveries: {
    method: 'GET',
    path: '/operator/mail-deliveries',
    audience: { operator: 'settings:write' },
  },
})

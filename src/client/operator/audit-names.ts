import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { z } from 'zod'
import type { WaitingActName } from '../../shared/acts.ts'
import type { auditFilter } from '../../shared/api/audit-schemas.ts'
import type { MailKind } from '../../shared/api/mails.ts'
import type { operatorOrderFilter } from '../../shared/api/orders-schemas.ts'
import type { AuditAction, AuditSubject } from '../../shared/audit-actions.ts'
import { factsOf } from '../../shared/languages.ts'
import { ownNameOf } from '../ui/setting-names.ts'
import { mailNames } from './mail-names.ts'

/** Every action in the log, and every act that can wait for a second operator, as what was done. */
const actions: Record<AuditAction | WaitingActName, MessageDescriptor> = {
  'campaign.one-operator': msg`Let one operator decide alone again`,
  'currency.evm-wallet': msg`Changed the ERC-20 wallet`,
  'operator.change': msg`Changed an operator`,
  'action.confirm': msg`Confirmed what another operator asked for`,
  'action.refuse': msg`Refused what another operator asked for`,
  'action.request': msg`Asked a second operator to confirm`,
  'analytics.add': msg`Added an analytics key`,
  'analytics.remove': msg`Deleted an analytics key`,
  'analytics.update': msg`Changed an analytics key`,
  'announcement.add': msg`Wrote an announcement`,
  'announcement.remove': msg`Deleted an announcement`,
  'announcement.update': msg`Changed an announcement`,
  'api-key.add': msg`Made an API key`,
  'api-key.renew': msg`Renewed an API key`,
  'api-key.revoke': msg`Revoked an API key`,
  'campaign.pause': msg`Paused the sale`,
  'campaign.resume': msg`Resumed the sale`,
  'campaign.update': msg`Changed the campaign's settings`,
  'chain.confirmations': msg`Changed how many confirmations a chain needs`,
  'chain.resume': msg`Let a stopped chain go on`,
  'channel.add': msg`Added a channel for own notices`,
  'channel.prove': msg`Proved a channel for own notices`,
  'channel.remove': msg`Removed a channel for own notices`,
  'channel.send-code': msg`Had a code sent to a channel for own notices`,
  'channel.update': msg`Chose what a channel is told of`,
  'comment.hide': msg`Hid a comment`,
  'comment.keep': msg`Kept a reported comment`,
  'comment.unhide': msg`Showed a hidden comment again`,
  'currency.add': msg`Added a currency`,
  'currency.delete': msg`Deleted a currency`,
  'currency.escrow': msg`Switched how a currency is paid: escrow or address`,
  'currency.pause': msg`Paused a currency`,
  'currency.refresh-rates': msg`Updated the rates from the price service`,
  'currency.resume': msg`Resumed a currency`,
  'currency.switch-off': msg`Switched a currency off`,
  'currency.switch-on': msg`Switched a currency on`,
  'currency.update': msg`Changed a currency`,
  'currency.wallet': msg`Gave a currency another wallet`,
  'document.add': msg`Published a document`,
  'document.move': msg`Moved a document in the list`,
  'document.remove': msg`Deleted a document`,
  'document.replace': msg`Published a new version of a document`,
  'document.update': msg`Renamed a document`,
  'escrow.announce': msg`Fixed the terms of an escrow`,
  'escrow.enter': msg`Put an escrow in force`,
  'escrow.key': msg`Made a new key that signs quotes`,
  'escrow.withdraw': msg`Took the terms of an escrow back`,
  'export.download': msg`Downloaded a list`,
  'giveaway.add': msg`Began a giveaway`,
  'giveaway.hand-over': msg`Said that a prize was handed over`,
  'giveaway.publish': msg`Published a giveaway`,
  'giveaway.remove': msg`Deleted a draft of a giveaway`,
  'giveaway.update': msg`Changed a draft of a giveaway`,
  'grant.add': msg`Granted tokens`,
  'grant.reverse': msg`Took a grant back`,
  'legal.publish': msg`Published a legal text`,
  'mail.publish': msg`Put words of a mail in force`,
  'mail.test': msg`Sent a mail as a test`,
  'operator.disable': msg`Took an operator's access away`,
  'operator.email': msg`Changed where an operator's notices go`,
  'operator.enable': msg`Gave an operator access again`,
  'operator.first': msg`Added the first owner`,
  'operator.invite': msg`Invited an operator`,
  'operator.password': msg`Set an own password`,
  'operator.renew-link': msg`Made a new one-time link for an operator`,
  'operator.role': msg`Changed an operator's role`,
  'operator.second-factor': msg`Changed an own second factor`,
  'order.approve': msg`Approved an order`,
  'order.hide': msg`Deleted an order from the lists`,
  'order.reject': msg`Rejected an order`,
  'order.unhide': msg`Put an order back on the lists`,
  'payment.attach': msg`Assigned a payment to an order`,
  'payment.refund': msg`Decided to refund a payment`,
  'price.change': msg`Changed the main currency value`,
  'payment.write-off': msg`Wrote off a payment`,
  'refund.write-off': msg`Wrote off a refund`,
  'refund.paid': msg`Said that a refund was paid`,
  'refund.prepare': msg`Prepared a refund to sign`,
  'chain.ask-node': msg`Asked a node of a chain`,
  'chain.node': msg`Named a node of a chain`,
  'chain.node-remove': msg`Removed a node of a chain`,
  'rate-source.ask': msg`Asked a source of rates`,
  'rate-source.leave-out': msg`Left a source of rates out, or asked it again`,
  'rate-source.remove': msg`Removed a source of rates`,
  'rate-source.set': msg`Named a source of rates`,
  'chain.refund-senders': msg`Changed where refunds are paid from`,
  'refund.sent': msg`Noted a refund as sent`,
  'round.announce': msg`Announced a delivery round`,
  'round.cancel': msg`Cancelled a delivery round`,
  'round.freeze': msg`Froze a delivery round`,
  'round.go-live': msg`Made a delivery round live`,
  'secret-key.rotate': msg`Sealed what is secret under the present key`,
  'stage.add': msg`Added a stage`,
  'stage.remove': msg`Removed a stage`,
  'stage.update': msg`Changed a stage`,
  'upload.add': msg`Uploaded a file`,
  'user.note': msg`Wrote a note about a user`,
  'user.read': msg`Looked at a user's data`,
  'wallet.add': msg`Added a wallet`,
  'wallet.check': msg`Checked a wallet's addresses`,
  'webhook.add': msg`Added a webhook`,
  'webhook.redeliver': msg`Sent a webhook’s message again`,
  'webhook.remove': msg`Removed a webhook`,
  'webhook.rotate-secret': msg`Gave a webhook a new secret`,
  'webhook.test': msg`Sent a webhook a test message`,
  'webhook.update': msg`Changed a webhook`,
}

const subjects: Record<AuditSubject, MessageDescriptor> = {
  'analytics-key': msg({ message: 'analytics key', context: 'in the audit log' }),
  announcement: msg({ message: 'announcement', context: 'in the audit log' }),
  'api-key': msg({ message: 'API key', context: 'in the audit log' }),
  campaign: msg({ message: 'campaign', context: 'in the audit log' }),
  'rate-source': msg({ message: 'source of rates', context: 'in the audit log' }),
  chain: msg({ message: 'chain', context: 'in the audit log' }),
  channel: msg({ message: 'channel for notices', context: 'in the audit log' }),
  comment: msg({ message: 'comment', context: 'in the audit log' }),
  currency: msg({ message: 'currency', context: 'in the audit log' }),
  'delivery-round': msg({ message: 'delivery round', context: 'in the audit log' }),
  document: msg({ message: 'document', context: 'in the audit log' }),
  escrow: msg({ message: 'escrow', context: 'in the audit log' }),
  giveaway: msg({ message: 'giveaway', context: 'in the audit log' }),
  export: msg({ message: 'list', context: 'in the audit log' }),
  'legal-text': msg({ message: 'legal text', context: 'in the audit log' }),
  mail: msg({ message: 'mail', context: 'in the audit log' }),
  operator: msg({ message: 'operator', context: 'in the audit log' }),
  order: msg({ message: 'order', context: 'in the audit log' }),
  payment: msg({ message: 'payment', context: 'in the audit log' }),
  'pending-action': msg({ message: 'request', context: 'in the audit log' }),
  refund: msg({ message: 'refund', context: 'in the audit log' }),
  'secret-key': msg({ message: 'secret key', context: 'in the audit log' }),
  upload: msg({ message: 'file', context: 'in the audit log' }),
  user: msg({ message: 'user', context: 'in the audit log' }),
  wallet: msg({ message: 'wallet', context: 'in the audit log' }),
  webhook: msg({ message: 'webhook', context: 'in the audit log' }),
}

/** Subjects that the program names itself: lists that were downloaded, parts of the campaign. */
const namedSubjects: Partial<Record<AuditSubject, Readonly<Record<string, MessageDescriptor>>>> = {
  export: {
    users: msg`Users`,
    transactions: msg`Transactions`,
    'approved-transactions': msg`Approved Transactions`,
    audit: msg`Audit log`,
  },
  campaign: {
    settings: msg`Settings`,
    price: msg`Price`,
  },
}

type Filter = keyof z.output<typeof operatorOrderFilter> | keyof z.output<typeof auditFilter>

/** What a downloaded list was narrowed by: the names of the filters, never what was filtered for. */
const filters: Record<Filter, MessageDescriptor> = {
  action: msg`Action`,
  country: msg`Country, declared`,
  currency: msg`Currency`,
  from: msg`From`,
  hidden: msg`With deleted ones`,
  level: msg`Level`,
  operator: msg`Operator`,
  search: msg`Search`,
  status: msg`Status`,
  subjectId: msg`Subject`,
  subjectType: msg`Subject`,
  to: msg`To`,
  until: msg`To`,
  usdMax: msg`Dollars up to`,
  usdMin: msg`Dollars from`,
  user: msg`Buyer`,
  via: msg`Approved by`,
  view: msg({ message: 'Tab', context: 'of the queue' }),
}

export function auditFilterName(i18n: I18n, filter: string): string {
  const name = filters[filter as Filter]
  return name ? i18n._(name) : filter
}

/** What was done, in words. */
export function auditActionName(i18n: I18n, action: string): string {
  const name = actions[action as AuditAction]
  return name ? i18n._(name) : action
}

/** What it was done to: the kind in words. */
export function auditSubjectName(i18n: I18n, subjectType: string): string {
  const name = subjects[subjectType as AuditSubject]
  return name ? i18n._(name) : subjectType
}

/** Which one it was: its number or code, and what the program names itself in words. */
export function auditSubjectId(i18n: I18n, subjectType: string, id: string): string {
  if (subjectType === 'mail') return mailSubject(i18n, id)
  const setting = subjectType === 'campaign' ? ownNameOf(i18n, id) : undefined
  if (setting) return `(${setting})`
  const name = namedSubjects[subjectType as AuditSubject]?.[id]
  return name ? `(${i18n._(name)})` : id
}

/** Which mail, by when it is sent, and in which language. */
function mailSubject(i18n: I18n, id: string): string {
  const [kind = '', language = ''] = id.split(' ')
  const name = mailNames[kind as MailKind]
  return name ? `(${i18n._(name)}, ${factsOf(language).name})` : id
}

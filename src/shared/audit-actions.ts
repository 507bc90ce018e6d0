import { auditedActions } from './actions.ts'

/** Entries that are not an action, or only a part of one. */
const otherActions = [
  'approval.request',
  'campaign.resume',
  'currency.delete',
  'currency.resume',
  'currency.switch-off',
  'export.download',
  'list.read',
  'operator.disable',
  'operator.email',
  'operator.enable',
  'operator.first',
  'operator.role',
  'operator.second-factor',
  'secret-key.rotate',
  'user.read',
] as const

/** All entries, named `subject.verb`. The display name is `action.ACTION` in `locales/CODE/server.po`. */
export const auditActions = [...auditedActions, ...otherActions]
export type AuditAction = (typeof auditActions)[number]

/** The display name is `subject.NAME` in `locales/CODE/server.po`. */
export const auditSubjects = [
  'analytics-key',
  'announcement',
  'api-key',
  'campaign',
  'chain',
  'channel',
  'comment',
  'currency',
  'delivery-round',
  'document',
  'escrow',
  'export',
  'giveaway',
  'legal-text',
  'list',
  'mail',
  'operator',
  'order',
  'payment',
  'approval-request',
  'rate-source',
  'refund',
  'secret-key',
  'upload',
  'user',
  'wallet',
  'webhook',
] as const
export type AuditSubject = (typeof auditSubjects)[number]

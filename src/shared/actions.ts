import type { Right } from './roles.ts'

// Rules: RIGHT-2
/** The rules of one action, for every entry point: a route, a legacy call, a confirmation, a command. */
export interface ActionRule {
  /** The right an operator needs. `any`: every operator. `own`: buyers and operators, on their own account. */
  readonly right: Right | 'any' | 'own'
  /** Whether the action needs a login or step-up of the last 15 minutes. */
  readonly stepUp: boolean
  /** An API key with the right needs no login: a whole proof made the key for this. */
  readonly isOpenToKeys?: true
  /**
   * True for every action that moves money or changes wallets, rights or rules. The action's function
   * `needsApproval` then decides from the input.
   */
  readonly canNeedApproval: boolean
  /** True if the action opens or redirects access, so that its request needs a whole proof. */
  readonly needsProof?: true
  /** The security log's event for a request that executes the action. Omit it if there is none. */
  readonly event?: SecurityEvent | undefined
  /**
   * False if the audit log has no action of this name: the action writes no entry, or entries under other
   * names.
   */
  readonly isAudited?: false
}

type SecurityEvent =
  | 'approval_confirmed'
  | 'approval_rejected'
  | 'key_changed'
  | 'operator_changed'
  | 'password_changed'
  | 'rule_changed'
  | 'second_factor_changed'
  | 'step_up'
  | 'wallet_changed'

const plain = <const R extends Right | 'any' | 'own'>(right: R, event?: SecurityEvent) =>
  ({ right, stepUp: false, canNeedApproval: false, event }) as const
const fresh = <const R extends Right | 'any' | 'own'>(right: R, event?: SecurityEvent) =>
  ({ right, stepUp: true, canNeedApproval: false, event }) as const
const freshOfTwo = <const R extends Right>(right: R, event?: SecurityEvent) =>
  ({ right, stepUp: true, canNeedApproval: true, event }) as const
const freshOrByKey = <const R extends Right>(right: R) =>
  ({ right, stepUp: true, isOpenToKeys: true, canNeedApproval: true }) as const
// Rules: RIGHT-39
const proved = <const R extends Right>(right: R, event?: SecurityEvent) =>
  ({ right, stepUp: false, canNeedApproval: false, needsProof: true, event }) as const
const provedOfTwo = <const R extends Right>(right: R, event?: SecurityEvent) =>
  ({ right, stepUp: false, canNeedApproval: true, needsProof: true, event }) as const
const unaudited = <const Rule extends ActionRule>(rule: Rule) => ({ ...rule, isAudited: false }) as const

// Rules: RIGHT-1
/**
 * Every change that an operator can make. Routes, the legacy API, audit log, security log and approval
 * requests share this table. The display name is `action.NAME` in `locales/CODE/server.po`.
 */
export const actions = {
  'approval.confirm': fresh('any', 'approval_confirmed'),
  'approval.reject': plain('any', 'approval_rejected'),
  'currency.add': freshOfTwo('currencies:write', 'wallet_changed'),
  'currency.update': freshOfTwo('currencies:write', 'wallet_changed'),
  'currency.evm-wallet': unaudited(freshOfTwo('currencies:write', 'wallet_changed')),
  'currency.remove': unaudited(fresh('currencies:write')),
  'currency.switch-on': fresh('currencies:write'),
  'currency.pause': freshOfTwo('currencies:write'),
  'currency.escrow': freshOfTwo('currencies:write'),
  'currency.refresh-rates': plain('currencies:write'),
  'rate-source.ask': plain('currencies:write'),
  'rate-source.set': freshOfTwo('currencies:write', 'wallet_changed'),
  'rate-source.remove': freshOfTwo('currencies:write', 'wallet_changed'),
  'rate-source.leave-out': freshOfTwo('currencies:write', 'wallet_changed'),
  'campaign.update': freshOfTwo('campaign:write'),
  'campaign.one-operator': unaudited(freshOfTwo('campaign:write', 'rule_changed')),
  'campaign.pause': freshOfTwo('campaign:write'),
  'stage.add': freshOfTwo('campaign:write'),
  'stage.update': freshOfTwo('campaign:write'),
  'stage.remove': fresh('campaign:write'),
  'price.change': freshOfTwo('currencies:write'),
  'order.approve': freshOrByKey('orders:decide'),
  'order.reject': freshOrByKey('orders:decide'),
  'order.hide': plain('orders:decide'),
  'order.unhide': plain('orders:decide'),
  'currency.wallet': freshOfTwo('currencies:write', 'wallet_changed'),
  'wallet.add': freshOfTwo('currencies:write', 'wallet_changed'),
  'wallet.check': fresh('currencies:write', 'wallet_changed'),
  'chain.confirmations': freshOfTwo('currencies:write'),
  'chain.resume': freshOfTwo('currencies:write'),
  'chain.ask-node': plain('currencies:write'),
  'chain.node': freshOfTwo('currencies:write', 'wallet_changed'),
  'chain.node-remove': freshOfTwo('currencies:write', 'wallet_changed'),
  'chain.refund-senders': freshOfTwo('currencies:write', 'wallet_changed'),
  'payment.attach': freshOrByKey('orders:decide'),
  'payment.refund': freshOfTwo('refunds:write'),
  'payment.write-off': freshOfTwo('refunds:write'),
  'refund.prepare': fresh('refunds:write'),
  'refund.sent': freshOfTwo('refunds:write'),
  'refund.paid': freshOfTwo('refunds:write'),
  'grant.add': freshOfTwo('grants:write'),
  'grant.reverse': freshOfTwo('grants:write'),
  'round.announce': freshOfTwo('delivery:write'),
  'round.cancel': fresh('delivery:write'),
  'round.freeze': freshOfTwo('delivery:write'),
  'round.go-live': freshOfTwo('delivery:write'),
  'escrow.announce': freshOfTwo('delivery:write'),
  'escrow.withdraw': fresh('delivery:write'),
  'escrow.enter': freshOfTwo('delivery:write'),
  'escrow.key': fresh('delivery:write'),
  'announcement.add': freshOfTwo('content:write'),
  'announcement.update': freshOfTwo('content:write'),
  'announcement.remove': plain('content:write'),
  'comment.hide': plain('content:write'),
  'comment.unhide': plain('content:write'),
  'comment.keep': plain('content:write'),
  'document.add': freshOfTwo('content:write'),
  'document.move': plain('content:write'),
  'document.remove': plain('content:write'),
  'document.replace': freshOfTwo('content:write'),
  'document.update': freshOfTwo('content:write'),
  'legal.publish': freshOfTwo('content:write'),
  'upload.add': plain('content:write'),
  'giveaway.add': plain('content:write'),
  'giveaway.update': plain('content:write'),
  'giveaway.remove': plain('content:write'),
  'giveaway.publish': freshOfTwo('content:write'),
  'giveaway.hand-over': freshOfTwo('content:write'),
  'channel.add': fresh('any'),
  'channel.update': plain('any'),
  'channel.send-code': fresh('any'),
  'channel.prove': plain('any'),
  'channel.remove': plain('any'),
  'mail.publish': freshOfTwo('settings:write'),
  'campaign.preview': unaudited(plain('campaign:write')),
  'mail.preview': unaudited(plain('settings:write')),
  'mail.test': plain('settings:write'),
  'mail.resend': plain('settings:write'),
  'mail.send-waiting': plain('settings:write'),
  'mail-server.set': provedOfTwo('settings:write', 'rule_changed'),
  'mail-server.test': fresh('settings:write'),
  'analytics.add': plain('analytics:write'),
  'analytics.update': plain('analytics:write'),
  'analytics.remove': plain('analytics:write'),
  'api-key.add': proved('api-keys:write', 'key_changed'),
  'api-key.renew': proved('api-keys:write', 'key_changed'),
  'api-key.revoke': plain('api-keys:write', 'key_changed'),
  'webhook.add': fresh('webhooks:write'),
  'webhook.update': fresh('webhooks:write'),
  'webhook.rotate-secret': fresh('webhooks:write'),
  'webhook.remove': plain('webhooks:write'),
  'webhook.test': plain('webhooks:write'),
  'webhook.redeliver': plain('webhooks:write'),
  'operator.invite': provedOfTwo('operators:write', 'operator_changed'),
  'operator.change': unaudited(provedOfTwo('operators:write', 'operator_changed')),
  'operator.renew-link': provedOfTwo('operators:write', 'operator_changed'),
  'operator.password': plain('any', 'password_changed'),
  'operator.language': unaudited(plain('any')),
  'user.note': plain('notes:write'),
  'session.log-out': unaudited(plain('own')),
  'session.step-up': unaudited(plain('own', 'step_up')),
  'session.end': unaudited(plain('own')),
  'session.end-others': unaudited(fresh('own')),
  'second-factor.begin': unaudited(plain('own')),
  'second-factor.confirm': unaudited(fresh('own', 'second_factor_changed')),
  'second-factor.remove': unaudited(plain('own', 'second_factor_changed')),
  'second-factor.recovery-codes': unaudited(plain('own', 'second_factor_changed')),
  'passkey.begin': unaudited(plain('own')),
  'passkey.add': unaudited(fresh('own', 'second_factor_changed')),
  'passkey.remove': unaudited(plain('own', 'second_factor_changed')),
} as const satisfies Record<string, ActionRule>

export type ActionName = keyof typeof actions

export type OwnActionName = {
  [N in ActionName]: (typeof actions)[N]['right'] extends 'own' ? N : never
}[ActionName]

export type ApprovableActionName = {
  [N in ActionName]: (typeof actions)[N]['canNeedApproval'] extends true ? N : never
}[ActionName]
export const approvableActions = (Object.keys(actions) as ActionName[]).filter(
  (name): name is ApprovableActionName => actions[name].canNeedApproval,
)

export type AuditedActionName = {
  [N in ActionName]: (typeof actions)[N] extends { isAudited: false } ? never : N
}[ActionName]
export const auditedActions = (Object.keys(actions) as ActionName[]).filter(
  (name): name is AuditedActionName => !('isAudited' in actions[name]),
)

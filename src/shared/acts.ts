import type { Right } from './roles.ts'

// Rules: RIGHT-2
/** What holds for one act, whoever performs it and through whichever door: a route, a wire call, a confirmation, a command. */
export interface ActRule {
  /** The right that an operator needs; `any` operator; `own` for what somebody, also a buyer, changes of their own account. */
  readonly right: Right | 'any' | 'own'
  /** Whether the act needs a login or step-up of the last 15 minutes. */
  readonly stepUp: boolean
  /**
   * Whether the act can wait for a second operator, where the campaign asks for two. Every act that moves money, wallets, rights or rules
   * says so; the act's `waits` then decides by its input.
   */
  readonly waits: boolean
}

const plain = <const R extends Right | 'any' | 'own'>(right: R) =>
  ({ right, stepUp: false, waits: false }) as const
const fresh = <const R extends Right | 'any' | 'own'>(right: R) =>
  ({ right, stepUp: true, waits: false }) as const
const freshOfTwo = <const R extends Right>(right: R) => ({ right, stepUp: true, waits: true }) as const

// Rules: RIGHT-1
/**
 * Everything that an operator can change. The routes, the wire contract, the list of what waits and the pages' buttons read this
 * one table; a name that is written into the audit log is an audit action as well.
 */
export const acts = {
  'action.confirm': fresh('any'),
  'action.refuse': plain('any'),
  'currency.add': freshOfTwo('currencies:write'),
  'currency.update': freshOfTwo('currencies:write'),
  'currency.evm-wallet': freshOfTwo('currencies:write'),
  'currency.remove': fresh('currencies:write'),
  'currency.switch-on': fresh('currencies:write'),
  'currency.pause': fresh('currencies:write'),
  'currency.escrow': freshOfTwo('currencies:write'),
  'currency.refresh-rates': plain('currencies:write'),
  'rate-source.ask': plain('currencies:write'),
  'rate-source.set': freshOfTwo('currencies:write'),
  'rate-source.remove': freshOfTwo('currencies:write'),
  'rate-source.leave-out': freshOfTwo('currencies:write'),
  'campaign.update': freshOfTwo('campaign:write'),
  'campaign.one-operator': freshOfTwo('campaign:write'),
  'campaign.pause': fresh('campaign:write'),
  'stage.add': freshOfTwo('campaign:write'),
  'stage.update': freshOfTwo('campaign:write'),
  'stage.remove': fresh('campaign:write'),
  'price.change': freshOfTwo('currencies:write'),
  'order.approve': { right: 'orders:decide', stepUp: false, waits: true },
  'order.reject': { right: 'orders:decide', stepUp: false, waits: true },
  'order.hide': plain('orders:decide'),
  'order.unhide': plain('orders:decide'),
  'currency.wallet': freshOfTwo('currencies:write'),
  'wallet.add': freshOfTwo('currencies:write'),
  'wallet.check': fresh('currencies:write'),
  'chain.confirmations': freshOfTwo('currencies:write'),
  'chain.resume': freshOfTwo('currencies:write'),
  'chain.ask-node': plain('currencies:write'),
  'chain.node': freshOfTwo('currencies:write'),
  'chain.node-remove': freshOfTwo('currencies:write'),
  'chain.refund-senders': freshOfTwo('currencies:write'),
  'payment.attach': { right: 'orders:decide', stepUp: false, waits: true },
  'payment.refund': freshOfTwo('refunds:write'),
  'payment.write-off': freshOfTwo('refunds:write'),
  'refund.prepare': fresh('refunds:write'),
  'refund.sent': freshOfTwo('refunds:write'),
  'refund.paid': freshOfTwo('refunds:write'),
  'refund.write-off': freshOfTwo('refunds:write'),
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
  'announcement.add': plain('content:write'),
  'announcement.update': plain('content:write'),
  'announcement.remove': plain('content:write'),
  'comment.hide': plain('content:write'),
  'comment.unhide': plain('content:write'),
  'comment.keep': plain('content:write'),
  'document.add': plain('content:write'),
  'document.move': plain('content:write'),
  'document.remove': plain('content:write'),
  'document.replace': plain('content:write'),
  'document.update': plain('content:write'),
  'legal.publish': plain('content:write'),
  'upload.add': plain('content:write'),
  'giveaway.add': plain('content:write'),
  'giveaway.update': plain('content:write'),
  'giveaway.remove': plain('content:write'),
  'giveaway.publish': freshOfTwo('content:write'),
  'giveaway.hand-over': plain('content:write'),
  'channel.add': fresh('any'),
  'channel.update': plain('any'),
  'channel.send-code': fresh('any'),
  'channel.prove': plain('any'),
  'channel.remove': plain('any'),
  'mail.publish': freshOfTwo('settings:write'),
  'campaign.preview': plain('campaign:write'),
  'mail.preview': plain('settings:write'),
  'mail.test': plain('settings:write'),
  'analytics.add': plain('analytics:write'),
  'analytics.update': plain('analytics:write'),
  'analytics.remove': plain('analytics:write'),
  'api-key.add': fresh('api-keys:write'),
  'api-key.renew': fresh('api-keys:write'),
  'api-key.revoke': plain('api-keys:write'),
  'webhook.add': fresh('webhooks:write'),
  'webhook.update': fresh('webhooks:write'),
  'webhook.rotate-secret': fresh('webhooks:write'),
  'webhook.remove': plain('webhooks:write'),
  'webhook.test': plain('webhooks:write'),
  'webhook.redeliver': plain('webhooks:write'),
  'operator.invite': freshOfTwo('operators:write'),
  'operator.change': freshOfTwo('operators:write'),
  'operator.renew-link': freshOfTwo('operators:write'),
  'operator.password': plain('any'),
  'operator.language': plain('any'),
  'user.note': plain('notes:write'),
  'session.log-out': plain('own'),
  'session.step-up': plain('own'),
  'session.end': plain('own'),
  'session.end-others': plain('own'),
  'second-factor.begin': fresh('own'),
  'second-factor.confirm': fresh('own'),
  'second-factor.remove': fresh('own'),
  'second-factor.recovery-codes': fresh('own'),
  'passkey.begin': fresh('own'),
  'passkey.add': fresh('own'),
  'passkey.remove': fresh('own'),
} as const satisfies Record<string, ActRule>

export type ActName = keyof typeof acts

/** What people change of their own account, buyers and operators alike. */
export type OwnActName = { [N in ActName]: (typeof acts)[N]['right'] extends 'own' ? N : never }[ActName]

/** The acts that can wait for a second operator. */
export type WaitingActName = { [N in ActName]: (typeof acts)[N]['waits'] extends true ? N : never }[ActName]
export const waitingActs = (Object.keys(acts) as ActName[]).filter(
  (name): name is WaitingActName => acts[name].waits,
)

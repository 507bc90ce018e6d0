import type { z } from 'zod'
import type { giveawayInput } from './giveaways-inputs.ts'
import type {
  giveawaySchemas,
  operatorGiveaway,
  operatorGiveawaySchemas,
  publicGiveaway,
  publishedRules,
} from './giveaways-schemas.ts'
import { executes, routes } from './route.ts'

export type PublicGiveaway = z.infer<typeof publicGiveaway>
export type PublishedRules = z.infer<typeof publishedRules>
export type GiveawayDraft = z.infer<typeof giveawayInput>
export type OperatorGiveaway = z.infer<typeof operatorGiveaway>
export type OwnGiveaway = z.infer<(typeof giveawaySchemas)['own']['reply']>['items'][number]
export type GiveawayReceipt = NonNullable<OwnGiveaway['receipt']>

export const prizesMax = 20

/** A prize given several times has several numbers. */
export const prizeOf = ({ prizes }: Pick<PublishedRules, 'prizes'>, number: number) =>
  prizes.flatMap((prize) => Array.from({ length: prize.count }, () => prize))[number - 1]

export const giveawayRoutes = routes<typeof giveawaySchemas>()({
  list: { method: 'GET', path: '/giveaways', audience: 'visitor' },
  own: { method: 'GET', path: '/giveaways/own', audience: 'buyer' },
  enter: { method: 'POST', path: '/giveaways/:id/entry', audience: 'buyer' },
  confirm: { method: 'POST', path: '/giveaways/:id/confirmation', audience: 'buyer' },
})

export const operatorGiveawayRoutes = routes<typeof operatorGiveawaySchemas>()({
  list: { method: 'GET', path: '/operator/giveaways', audience: { operator: 'content:write' } },
  add: { method: 'POST', path: '/operator/giveaways', ...executes('giveaway.add'), idempotent: true },
  update: { method: 'PUT', path: '/operator/giveaways/:id', ...executes('giveaway.update') },
  remove: { method: 'DELETE', path: '/operator/giveaways/:id', ...executes('giveaway.remove') },
  publish: { method: 'POST', path: '/operator/giveaways/:id/publication', ...executes('giveaway.publish') },
  handOver: {
    method: 'POST',
    path: '/operator/giveaways/:id/winners/:place/hand-over',
    ...executes('giveaway.hand-over'),
  },
})

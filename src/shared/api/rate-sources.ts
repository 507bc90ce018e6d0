import type { z } from 'zod'
import type { rateSourceSchemas, sourceAnswer, sourceList } from './rate-sources-schemas.ts'
import { executes, routes } from './route.ts'

/** Each is also the name of a built-in source. */
export const sourceKinds = ['coingecko', 'kraken', 'coinbase'] as const
export type SourceKind = (typeof sourceKinds)[number]
export type RateSourceList = z.infer<typeof sourceList>
export type RateSource = RateSourceList['items'][number]
export type SourceAnswer = z.infer<typeof sourceAnswer>

export const rateSourceRoutes = routes<typeof rateSourceSchemas>()({
  list: { method: 'GET', path: '/operator/rate-sources', audience: { operator: 'any' } },
  ask: { method: 'POST', path: '/operator/rate-sources/ask', ...executes('rate-source.ask') },
  set: { method: 'POST', path: '/operator/rate-sources', ...executes('rate-source.set') },
  remove: { method: 'DELETE', path: '/operator/rate-sources/:id', ...executes('rate-source.remove') },
  leaveOut: { method: 'PUT', path: '/operator/rate-sources/own/:name', ...executes('rate-source.leave-out') },
})

import type { onRequestHookHandler } from 'fastify'
import type { Cost, Endpoint } from '../../shared/api/route.ts'
import { refuseWhenLineIsFull } from '../credentials/credentials.ts'
import type { LocalLimits, Spending, Unit } from '../limits/local-limits.ts'
import { networkOf } from './authentication.ts'

/** Bytes of a body that is read and parsed before anybody is asked. */
export const VISITOR_BODY_BYTES_MAX = 4_096
const READING = { statements: 10 }
const CHANGING = { statements: 20 }

// Rules: RIGHT-25
/** The most that a request of this route may cost. */
export function costOf({ method, audience, cost }: Pick<Endpoint, 'method' | 'audience' | 'cost'>): Cost & {
  readonly bodyBytes: number
} {
  const usual = method === 'GET' ? READING : CHANGING
  if (audience === 'visitor') return { bodyBytes: VISITOR_BODY_BYTES_MAX, ...usual, ...cost }
  if (audience === 'buyer') return { bodyBytes: 16_384, ...usual, ...cost }
  return { bodyBytes: 65_536, statements: 50, mails: 20, ...cost }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Units of which nobody as near as the one who asks took any lately. */
    firsts?: ReadonlySet<Unit>
  }
}

/**
 * Takes what a request costs from what its network may spend, before the body is read. A stranger's password also needs a place in the
 * line. Nobody counts what operators spend, of whom there are few.
 */
export function takeCost(
  limits: LocalLimits,
  { audience, path }: Pick<Endpoint, 'audience' | 'path'>,
  units: Spending,
): { onRequest?: onRequestHookHandler } {
  if (typeof audience === 'object') return {}
  const line = path.startsWith('/operator/') ? 'operator' : 'user'
  return {
    onRequest: (request, _reply, done) => {
      request.firsts = limits.take(networkOf(request.ip), units)
      if (audience === 'visitor' && units.hashes) refuseWhenLineIsFull(line)
      done()
    },
  }
}

import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Audience, Cost, Endpoint } from '../../shared/api/route.ts'
import { type Holder, refuseWhenLineIsFull } from '../credentials/credentials.ts'
import type { LocalLimits, Unit } from '../limits/local-limits.ts'
import { refuse } from '../refusal.ts'
import { networkOf } from './authentication.ts'

/** Bytes of a body that is read and parsed before anybody is asked. */
export const VISITOR_BODY_BYTES_MAX = 4_096
const READING = { statements: 10 }
const CHANGING = { statements: 20 }
/** A longer body counts as one more request for each of these, up to so many. */
const BODY_OF_A_REQUEST = 16_384
const REQUESTS_OF_A_BODY_MAX = 8

/** What a route costs, whoever mounts it. */
export interface RouteCost extends Cost {
  /** A stranger's password needs a place in this line. */
  readonly line?: Holder['kind'] | undefined
  /** Who is let in. The budget of all networks is charged by `serve` once it knows who asks; nobody counts what operators spend. */
  readonly audience?: Audience | { readonly operator: string }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    cost?: RouteCost
  }
  interface FastifyRequest {
    /** Units of which nobody as near as the one who asks took any lately. */
    firsts?: ReadonlySet<Unit>
  }
}

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

/** Options of a route: what one request of it costs at most, besides what is drawn or read once for everybody. */
export function charged(cost: RouteCost) {
  return { config: { cost }, ...(cost.bodyBytes === undefined ? {} : { bodyLimit: cost.bodyBytes }) }
}

/** A page or file that is drawn or read once for everybody, or drawn for one visitor by `drawAlone`, which charges for it. */
export const SHARED = charged({ statements: 0 })

// Rules: RIGHT-25
/**
 * Charges every request to the network that sends it, before its body is read, by what its route declares. No route is mounted below `app` that
 * declares nothing; an address without a route costs a request.
 */
export function keepCosts(app: FastifyInstance, limits: LocalLimits): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.cost) throw new Error(`invariant broken: ${method} ${url} declares no cost`)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (isIP(request.ip) === 0) refuse('malformed_request')
    const {
      bodyBytes = VISITOR_BODY_BYTES_MAX,
      line,
      audience,
      ...declared
    } = request.routeOptions.config.cost ?? {}
    const units = typeof audience === 'object' ? {} : declared
    const sent = request.headers['transfer-encoding']
      ? bodyBytes
      : Number(request.headers['content-length'] ?? 0)
    const bodies = Math.floor(Math.min(sent || 0, bodyBytes) / BODY_OF_A_REQUEST)
    const requests = 1 + Math.min(bodies, REQUESTS_OF_A_BODY_MAX)
    const firsts = limits.take(networkOf(request.ip), { ...units, requests })
    if (audience === undefined) limits.takeOfAll(units, firsts, 'strangers')
    else if (typeof audience !== 'object') request.firsts = firsts
    if (line) refuseWhenLineIsFull(line)
    done()
  })
}

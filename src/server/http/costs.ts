import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Audience, Cost, Endpoint } from '../../shared/api/route.ts'
import { type Holder, refuseWhenLineIsFull } from '../credentials/credentials.ts'
import type { LocalLimits, Unit } from '../limits/local-limits.ts'
import { refuse } from '../refusal.ts'
import { clientOf, networkOf } from './authentication.ts'

/** Body bytes read before authentication. */
export const VISITOR_BODY_BYTES_MAX = 4_096
const READING = { statements: 10 }
const CHANGING = { statements: 20 }
/** A longer body costs one more request per this many bytes, up to the maximum. */
const BODY_OF_A_REQUEST = 16_384
const REQUESTS_OF_A_BODY_MAX = 8

export interface RouteCost extends Cost {
  /** Queue with room for a stranger's password. */
  readonly line?: Holder['kind'] | undefined
  /** A login pays its hashes once its account is known, because the browser may be the account's own. */
  readonly isLogin?: boolean | undefined
  /**
   * Without one, the shared budget is charged at once, else by `serve` after authentication. An operator's
   * request costs only one of `requests`.
   */
  readonly audience?: Audience | { readonly operator: string }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    cost?: RouteCost
  }
  interface FastifyRequest {
    /** No nearby network took these lately. */
    firsts?: ReadonlySet<Unit>
    /** Charges what a login still owes. Throws as `LocalLimits.take`. */
    payHashes?: (isOwn: boolean) => void
  }
}

// Rules: RIGHT-25
export function costOf({ method, audience, cost }: Pick<Endpoint, 'method' | 'audience' | 'cost'>): Cost & {
  readonly bodyBytes: number
} {
  const usual = method === 'GET' ? READING : CHANGING
  if (audience === 'visitor') return { bodyBytes: VISITOR_BODY_BYTES_MAX, ...usual, ...cost }
  if (audience === 'buyer') return { bodyBytes: 16_384, ...usual, ...cost }
  return { bodyBytes: 65_536, statements: 50, mails: 20, ...cost }
}

/** The maximum of one request, without shared work. */
export function charged(cost: RouteCost) {
  return { config: { cost }, ...(cost.bodyBytes === undefined ? {} : { bodyLimit: cost.bodyBytes }) }
}

/** Responses made once for everybody, or per visitor by `drawAlone`, which charges. */
export const SHARED = charged({ statements: 0 })

// Rules: RIGHT-25
/**
 * Before the body is read, to the request's network. Throws on mounting a route without a cost; an unknown
 * address costs one request.
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
      isLogin,
      ...declared
    } = request.routeOptions.config.cost ?? {}
    const network = networkOf(request.ip)
    const { hashes, ...others } = declared
    const paysLater = isLogin && clientOf(request).browser !== undefined
    // Known browsers of a network have hashes of their own, which strangers behind the same address can't use up.
    if (paysLater)
      request.payHashes = (isOwn) => void limits.take(isOwn ? `browsers of ${network}` : network, { hashes })
    const units = typeof audience === 'object' ? {} : paysLater ? others : declared
    const sent = request.headers['transfer-encoding']
      ? bodyBytes
      : Number(request.headers['content-length'] ?? 0)
    const bodies = Math.floor(Math.min(sent || 0, bodyBytes) / BODY_OF_A_REQUEST)
    const requests = 1 + Math.min(bodies, REQUESTS_OF_A_BODY_MAX)
    const firsts = limits.take(network, { ...units, requests })
    if (audience === undefined) limits.takeOfAll(units, firsts, 'strangers')
    else if (typeof audience !== 'object') request.firsts = firsts
    if (line) refuseWhenLineIsFull(line)
    done()
  })
}

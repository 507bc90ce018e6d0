import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ActionName, type ActionRule, actions as actionTable } from '../../shared/actions.ts'
import type { BodyOf, Cost, Endpoint, ParamsOf, QueryOf, ReplyIn } from '../../shared/api/route.ts'
import type { Language } from '../../shared/languages.ts'
import { can, type Right, type Role } from '../../shared/roles.ts'
import { accessLogOf, peopleLogOf } from '../access-log/access-log.ts'
import {
  type Action,
  type Actions,
  type AnyAction,
  requireFresh,
  type TakeProof,
} from '../actions/actions.ts'
import type { GivenProof } from '../credentials/credentials.ts'
import type { Database, Queryable } from '../database/database.ts'
import { parseInput, parseQuery, refuseField } from '../invalid-input.ts'
import type { LocalLimits } from '../limits/local-limits.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { BuyerActor, OperatorActor, PresentedCookie, UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { costOf, type RouteCost } from './costs.ts'
import { onceByKey, ownerOfKey, requestHash } from './idempotency.ts'

const actionRules: Readonly<Record<ActionName, ActionRule>> = actionTable

export interface BuyerCaller {
  readonly kind: 'buyer'
  readonly userId: string
  readonly reference: string
  readonly email: string
  readonly language: Language
  /** The time of the last password or second factor; sensitive routes need at most 15 minutes. */
  readonly authenticatedAt: Date
  readonly sessionId: string
  /** Absent for programs. */
  readonly cookie?: PresentedCookie | undefined
}

export interface OperatorCaller {
  readonly kind: 'operator'
  readonly operatorId: string
  readonly login: string
  readonly role: Role
  /** Absent for an API key. */
  readonly language?: Language
  /** As in `BuyerCaller`. */
  readonly authenticatedAt: Date
  readonly sessionId: string
  /** Absent for programs. */
  readonly cookie?: PresentedCookie | undefined
  /** For an API key: the subset of the role's rights that it has. */
  readonly scopes?: readonly Right[] | undefined
  /** The role needs a second factor and the session has none: only own-access routes are open. */
  readonly lacksSecondFactor?: boolean
}

export interface VisitorCaller {
  readonly kind: 'visitor'
}

export type Caller = BuyerCaller | OperatorCaller | VisitorCaller

/** By cookie or Bearer token (`authentication.ts`). Throws CSRF and session errors. */
export interface Authenticator {
  buyer(request: FastifyRequest): Promise<BuyerCaller | undefined>
  operator(request: FastifyRequest): Promise<OperatorCaller | undefined>
  giveCookie(kind: 'buyer' | 'operator', reply: FastifyReply, token: string, expiresAt: Date): void
}

type CallerOf<R extends Endpoint> = R['audience'] extends 'buyer'
  ? BuyerCaller
  : R['audience'] extends 'visitor'
    ? BuyerCaller | VisitorCaller
    : OperatorCaller

export interface Call<R extends Endpoint> {
  readonly caller: CallerOf<R>
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly idempotencyKey: string | undefined
  /**
   * Stores the reply in the transaction of the effect; call it last there. Without this call the reply is
   * stored after the handler, so a repeat after a crash runs the handler again. Does nothing without a key.
   */
  readonly keepReply: (tx: Queryable, reply: ReplyIn<R>) => Promise<void>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface ServeOptions {
  /** 'statement': the handler's SQL stores the key itself. */
  readonly idempotency?: 'statement'
}

export interface Server {
  readonly app: FastifyInstance
  readonly db: Database
  /** Read when a route is called, because some tests have none. */
  readonly actions?: Actions
  /** Prepares an operator's whole proof. Throws as `Operators.proveWholly`. */
  readonly prove?: (caller: OperatorCaller, given: GivenProof | undefined, call: Asking) => Promise<TakeProof>
  readonly authenticator: Authenticator
  readonly limits: LocalLimits
  /** Outside production, validates each reply against its schema, so that the documentation stays correct. */
  readonly checkReplies: boolean
  readonly routes: Endpoint[]
}

/**
 * Routes that an API key may read without a scope; the other `any` routes are about a person's own account.
 */
const OPEN_TO_KEYS = new Set(['GET /operator/campaign', 'GET /operator/currencies'])
/** Routes open, besides own-access actions, to an operator who still has to set up the second factor. */
const OPEN_WITHOUT_SECOND_FACTOR = new Set([
  'GET /operator/session',
  'PATCH /operator/session',
  'GET /operator/sessions',
  'GET /operator/failed-attempts',
  'GET /operator/second-factor',
  'POST /operator/password',
])
export const API_PREFIX = '/api/v1'

/**
 * Mounts a route: authenticate, authorise, validate, call, reply. A Buffer is serialised JSON. Reads of
 * personal data are logged before the data is sent; if logging fails, nothing is sent.
 */
export function serve<const R extends Endpoint>(
  server: Server,
  route: R,
  handler: (call: Call<R>) => Promise<ReplyIn<R> | Buffer>,
  options: ServeOptions = {},
): void {
  server.routes.push(route)
  const cost = costOf(route)
  const { bodyBytes, ...units } = cost
  const logAccess = route.showsPerson && accessLogOf(server.db, route.showsPerson)
  const logPeople = route.showsPeople && peopleLogOf(server.db, route.showsPeople)
  server.app.route({
    method: route.method,
    url: API_PREFIX + route.path,
    config: { cost: { ...cost, audience: route.audience, ...loginOf(route, units) } },
    bodyLimit: bodyBytes,
    handler: async (request, reply) => {
      if (route.action) request.action = route.action
      const caller = await authorise(server.authenticator, route, request)
      const idempotencyKey = route.idempotent ? idempotencyKeyOf(request) : undefined
      const call = {
        caller,
        params: paramsOf(route, request),
        query: route.query && parseQuery(route.query, request.query ?? {}),
        body: route.body && parseInput(route.body, request.body ?? {}),
        idempotencyKey,
        request,
        reply,
      }
      if (request.firsts)
        server.limits.takeOfAll(units, request.firsts, caller.kind === 'visitor' ? 'strangers' : 'signed-in')
      if (logAccess && caller.kind === 'operator') {
        const { id } = call.params as { id: string | number }
        await logAccess(operatorActor(caller, call), String(id))
      }
      const run = async (keepReply: (tx: Queryable, reply: unknown) => Promise<void> = async () => {}) => {
        const result = await handler({ ...call, keepReply } as unknown as Call<R>).catch((error: unknown) => {
          // The approval request has stored the proof.
          if (error instanceof Refusal && error.code === 'second_operator_required')
            giveNextCookie(server, caller, reply)
          throw error
        })
        return server.checkReplies && !Buffer.isBuffer(result) ? route.reply.parse(result) : result
      }
      const result =
        idempotencyKey && options.idempotency !== 'statement'
          ? await onceByKey(
              server.db,
              [ownerOfKey(caller, request.ip), `${route.method} ${route.path}`, idempotencyKey],
              requestHash(request.body, call.params),
              run,
            )
          : await run()
      giveNextCookie(server, caller, reply)
      if (logPeople && caller.kind === 'operator') {
        const { items } = result as unknown as { items: readonly { readonly id: unknown }[] }
        await logPeople(operatorActor(caller, call), call.query, items)
      }
      // Responses stay uncached unless a public route overrides it. Any site may read public data, without
      // cookies.
      if (route.audience === 'visitor' && route.method === 'GET')
        void reply.header('access-control-allow-origin', '*')
      if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
      if (Buffer.isBuffer(result)) return reply.type('application/json; charset=utf-8').send(result)
      if (result === undefined) return reply.code(204).send()
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
    },
  })
}

// Rules: RIGHT-8
function giveNextCookie({ authenticator }: Server, caller: Caller, reply: FastifyReply): void {
  if (caller.kind !== 'visitor' && caller.cookie?.next)
    authenticator.giveCookie(caller.kind, reply, caller.cookie.next, caller.cookie.expiresAt)
}

export interface ServeActionOptions<R extends Endpoint, Result> extends ServeOptions {
  /** Makes the reply if it is not the action's result itself. */
  readonly reply?: (result: Result, call: Call<R>) => ReplyIn<R> | Promise<ReplyIn<R>>
  /** Runs before an error of the action is answered, with the action's input. */
  readonly refused?: (given: unknown, call: Call<R>) => Promise<unknown>
}

/**
 * The reply is stored with the idempotency key in the unit of work, unless the action's own SQL stores the
 * key or `options.reply` makes the reply.
 */
export function serveAction<const R extends Endpoint, Input, Result>(
  server: Server,
  route: R,
  action: Action<Input, Result>,
  input: (call: Call<R>) => unknown | Promise<unknown>,
  options: ServeActionOptions<R, Result> = {},
): void {
  if (route.action !== action.name)
    throw new Error(`${route.path} says ${route.action} and is served by ${action.name}`)
  serve(
    server,
    route,
    async (call) => {
      const { actions } = server
      if (!actions) throw new Error(`invariant broken: no actions are mounted for ${route.path}`)
      const takeProof = await proofFor(server, call, action.name)
      const given = await input(call)
      const isKept = call.idempotencyKey !== undefined && !options.idempotency && !options.reply
      const keep = isKept
        ? (unit: UnitOfWork, reply: Result) => call.keepReply(unit, reply as ReplyIn<R>)
        : undefined
      const result = await actions
        .execute(action, actorOf(call), given, { keep, takeProof })
        .catch(async (error: unknown) => {
          await options.refused?.(given, call)
          throw error
        })
      return options.reply ? options.reply(result, call) : (result as ReplyIn<R>)
    },
    options,
  )
}

/**
 * Path, query and body are the input, the result is the reply. Call after `serveAction` for special routes.
 */
export function serveActions(
  server: Server,
  routes: Readonly<Record<string, Endpoint>>,
  actions: Readonly<Record<string, AnyAction>>,
): void {
  for (const route of Object.values(routes)) {
    const action = route.action && actions[route.action]
    if (!action || server.routes.includes(route)) continue
    serveAction(server, route, action, ({ params, query, body }) => Object.assign({}, body, query, params))
  }
}

// Rules: RIGHT-39
async function proofFor(
  server: Server,
  call: Asking & { readonly body: unknown },
  name: ActionName,
): Promise<TakeProof | undefined> {
  if (!actionRules[name].needsProof || call.caller.kind !== 'operator') return undefined
  return server.prove?.(call.caller, (call.body as { proof?: GivenProof } | undefined)?.proof, call)
}

/** The queue for strangers' passwords, and whether the route is a login. */
function loginOf({ audience, path }: Endpoint, { hashes }: Cost): RouteCost {
  if (audience !== 'visitor' || !hashes) return {}
  return { line: path.startsWith('/operator/') ? 'operator' : 'user', isLogin: path.endsWith('/session') }
}

export interface Asking {
  readonly caller: Caller
  readonly idempotencyKey: string | undefined
  readonly request: FastifyRequest
}

/** Throws not_signed_in. */
function actorOf(call: Asking): OperatorActor | BuyerActor {
  if (call.caller.kind === 'visitor') return refuse('not_signed_in')
  return call.caller.kind === 'buyer'
    ? buyerActor(call.caller, call.request)
    : operatorActor(call.caller, call)
}

export function buyerActor(caller: BuyerCaller, request: FastifyRequest): BuyerActor {
  const { userId, sessionId, authenticatedAt, cookie } = caller
  return {
    kind: 'buyer',
    operatorId: null,
    login: 'buyer',
    userId,
    sessionId,
    authenticatedAt,
    cookie,
    requestId: request.id,
  }
}

export function operatorActor(
  caller: OperatorCaller,
  { idempotencyKey, request }: Omit<Asking, 'caller'>,
): OperatorActor {
  const { operatorId, login, role, scopes, sessionId, authenticatedAt, cookie } = caller
  return {
    kind: 'operator',
    operatorId,
    login,
    role,
    scopes,
    sessionId,
    authenticatedAt,
    cookie,
    requestId: request.id,
    once: idempotencyKey ? { key: idempotencyKey, hash: requestHash(request.body) } : undefined,
  }
}

// Rules: RIGHT-4
async function authorise(
  authenticator: Authenticator,
  route: Endpoint,
  request: FastifyRequest,
): Promise<Caller> {
  if (route.audience === 'visitor') return (await authenticator.buyer(request)) ?? { kind: 'visitor' }
  const caller =
    (await (route.audience === 'buyer' ? authenticator.buyer(request) : authenticator.operator(request))) ??
    refuse('not_signed_in')
  if (caller.kind === 'operator') {
    if (caller.lacksSecondFactor && !isOwnAccess(route)) refuse('second_factor_missing')
    if (!isAllowed(route, caller)) refuse('not_for_your_role')
  }
  requireFresh(route.action ? actionRules[route.action] : { stepUp: route.stepUp ?? false }, caller)
  return caller
}

function isOwnAccess({ action, method, path }: Endpoint): boolean {
  return (
    (action !== undefined && actionRules[action].right === 'own') ||
    OPEN_WITHOUT_SECOND_FACTOR.has(`${method} ${path}`)
  )
}

/** For custom handlers. Throws `not_signed_in`, `second_factor_missing`, `not_for_your_role`. */
export async function requireOperator(
  authenticator: Authenticator,
  request: FastifyRequest,
  right: Right,
): Promise<OperatorCaller> {
  const operator = (await authenticator.operator(request)) ?? refuse('not_signed_in')
  if (operator.lacksSecondFactor) refuse('second_factor_missing')
  if (!hasRight(operator, right)) refuse('not_for_your_role')
  return operator
}

function isAllowed({ audience, method, path }: Endpoint, operator: OperatorCaller): boolean {
  const right = typeof audience === 'object' ? audience.operator : 'any'
  if (right === 'any') return !operator.scopes || OPEN_TO_KEYS.has(`${method} ${path}`)
  return hasRight(operator, right)
}

/** True if the role has the right and an API key's scopes include it. */
export function hasRight(operator: OperatorCaller, right: Right): boolean {
  return can(operator.role, right) && (!operator.scopes || operator.scopes.includes(right))
}

/** Throws not_found for malformed parameters, because nothing exists at such an address. */
function paramsOf(route: Endpoint, request: FastifyRequest): unknown {
  if (!route.params) return undefined
  const result = route.params.safeParse(request.params)
  return result.success ? result.data : refuse('not_found')
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(key))
    refuseField('Idempotency-Key', 'key_format', '100')
  return key
}

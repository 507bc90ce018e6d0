import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actions as actionRules } from '../../shared/actions.ts'
import type { BodyOf, Cost, Endpoint, ParamsOf, QueryOf, ReplyIn } from '../../shared/api/route.ts'
import type { Language } from '../../shared/languages.ts'
import { can, type Right, type Role } from '../../shared/roles.ts'
import { accessLogOf, peopleLogOf } from '../access-log/access-log.ts'
import { type Action, type Actions, type AnyAction, isFresh } from '../actions/actions.ts'
import type { Database, Queryable } from '../database/database.ts'
import { parseInput, parseQuery, refuseField } from '../invalid-input.ts'
import type { LocalLimits } from '../limits/local-limits.ts'
import { refuse } from '../refusal.ts'
import type { BuyerActor, OperatorActor } from '../unit-of-work/unit-of-work.ts'
import { costOf } from './costs.ts'
import { onceByKey, ownerOfKey, requestHash } from './idempotency.ts'

/** A signed-in buyer. Ids are int8 and stay strings. */
export interface BuyerCaller {
  readonly kind: 'buyer'
  readonly userId: string
  readonly reference: string
  readonly email: string
  readonly language: Language
  /** When password or second factor were last given; sensitive routes need 15 minutes or less. */
  readonly authenticatedAt: Date
  readonly sessionId: string
}

/** A signed-in operator. */
export interface OperatorCaller {
  readonly kind: 'operator'
  readonly operatorId: string
  readonly login: string
  readonly role: Role
  /** Of an integration's API key: none. */
  readonly language?: Language
  /** When password or second factor were last given; sensitive routes need 15 minutes or less. */
  readonly authenticatedAt: Date
  readonly sessionId: string
  /** Of an integration's API key: the only rights of the operator's role that it has. */
  readonly scopes?: readonly Right[] | undefined
  /** The role needs a second factor and none was given in the session: only the own access is open. */
  readonly lacksSecondFactor?: boolean
}

export interface VisitorCaller {
  readonly kind: 'visitor'
}

export type Caller = BuyerCaller | OperatorCaller | VisitorCaller

/** Finds out who asks. Implemented over cookies and bearer tokens in `authentication.ts`; throws its own refusals (CSRF, ended session). */
export interface Authenticator {
  buyer(request: FastifyRequest): Promise<BuyerCaller | undefined>
  operator(request: FastifyRequest): Promise<OperatorCaller | undefined>
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
  /** The `Idempotency-Key` header of a route that takes one. */
  readonly idempotencyKey: string | undefined
  /**
   * Keeps the reply beside the key in the transaction of the effect, so that both stand or neither: call it last in there. Without
   * a key it does nothing; without this call the reply is kept after the handler, and what a crash between the two left is done
   * again by a repeat.
   */
  readonly keepReply: (tx: Queryable, reply: ReplyIn<R>) => Promise<void>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface ServeOptions {
  /** 'statement': the handler's own SQL keeps the key in the transaction of its effect; nothing is stored here. */
  readonly idempotency?: 'statement'
}

export interface Server {
  readonly app: FastifyInstance
  readonly db: Database
  /** What operators can change; read when a route is called, because tests of reading routes have none. */
  readonly actions?: Actions
  readonly authenticator: Authenticator
  readonly limits: LocalLimits
  /** Outside production each reply is held against its schema, so that the documentation can't drift from the code. */
  readonly checkReplies: boolean
  /** Every route mounted so far, for the documentation. */
  readonly routes: Endpoint[]
}

/** What an integration's key may read without a scope; every other route of `any` operator is about a person's own account. */
const OPEN_TO_KEYS = new Set(['GET /operator/campaign', 'GET /operator/currencies'])
/** Beside the actions that are everybody's own: what an operator may call who has yet to set the second factor up. */
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
 * Mounts one route of `src/shared/api`: authenticate, authorise, validate, call, reply. A Buffer is JSON that is serialised already.
 * What shows a person is noted before the handler runs, a list of people before it is sent; what can't be noted is not shown.
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
    config: { cost: { ...cost, audience: route.audience, line: lineOf(route, units) } },
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
        const result = await handler({ ...call, keepReply } as unknown as Call<R>)
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
      if (logPeople && caller.kind === 'operator') {
        const { items } = result as unknown as { items: readonly { readonly id: unknown }[] }
        await logPeople(operatorActor(caller, call), call.query, items)
      }
      // What is about somebody stays in no cache; a route for everybody says otherwise itself.
      // What anybody may read, a page of another site may: without the reader's cookies, as a visitor.
      if (route.audience === 'visitor' && route.method === 'GET')
        void reply.header('access-control-allow-origin', '*')
      if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
      if (Buffer.isBuffer(result)) return reply.type('application/json; charset=utf-8').send(result)
      if (result === undefined) return reply.code(204).send()
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
    },
  })
}

export interface ServeActionOptions<R extends Endpoint, Result> extends ServeOptions {
  /** Makes the reply of what the action returned, where the action's result is not the reply itself. */
  readonly reply?: (result: Result, call: Call<R>) => ReplyIn<R> | Promise<ReplyIn<R>>
}

/**
 * Mounts a route that executes an action: parses, names who asks, executes the action. The reply is kept beside an idempotency key in the
 * transaction of the unit of work, unless the action's own SQL keeps the key.
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
      const given = await input(call)
      const isKept = call.idempotencyKey !== undefined && !options.idempotency && !options.reply
      const result = await actions.execute(action, actorOf(call), given, {
        keep: isKept ? (unit, reply) => call.keepReply(unit, reply as ReplyIn<R>) : undefined,
      })
      return options.reply ? options.reply(result, call) : (result as ReplyIn<R>)
    },
    options,
  )
}

/**
 * Mounts each of the routes that executes one of the actions and is not mounted yet: the action's input is what the path, the query and the body have,
 * its result is the reply. Call it after `serveAction` for those that need more.
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

/** The line in which a stranger's password waits. */
function lineOf({ audience, path }: Endpoint, { hashes }: Cost): 'operator' | 'user' | undefined {
  if (audience !== 'visitor' || !hashes) return undefined
  return path.startsWith('/operator/') ? 'operator' : 'user'
}

export interface Asking {
  readonly caller: Caller
  readonly idempotencyKey: string | undefined
  readonly request: FastifyRequest
}

/** Who asks, as actions take it. Refuses not_signed_in. */
function actorOf(call: Asking): OperatorActor | BuyerActor {
  if (call.caller.kind === 'visitor') return refuse('not_signed_in')
  return call.caller.kind === 'buyer'
    ? buyerActor(call.caller, call.request)
    : operatorActor(call.caller, call)
}

/** The buyer who asks, as changes of the own account take it. */
export function buyerActor(caller: BuyerCaller, request: FastifyRequest): BuyerActor {
  const { userId, sessionId, authenticatedAt } = caller
  return {
    kind: 'buyer',
    operatorId: null,
    login: 'buyer',
    userId,
    sessionId,
    authenticatedAt,
    requestId: request.id,
  }
}

/** The operator who asks, as changes take it. */
export function operatorActor(
  caller: OperatorCaller,
  { idempotencyKey, request }: Omit<Asking, 'caller'>,
): OperatorActor {
  const { operatorId, login, role, scopes, sessionId, authenticatedAt } = caller
  return {
    kind: 'operator',
    operatorId,
    login,
    role,
    scopes,
    sessionId,
    authenticatedAt,
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
  if (route.stepUp && !isFresh(caller.authenticatedAt)) refuse('step_up_required')
  return caller
}

function isOwnAccess({ action, method, path }: Endpoint): boolean {
  return (
    (action !== undefined && actionRules[action].right === 'own') ||
    OPEN_WITHOUT_SECOND_FACTOR.has(`${method} ${path}`)
  )
}

/**
 * The operator who asks, for what is served by a handler of its own. Refuses `not_signed_in`, `second_factor_missing`,
 * `not_for_your_role`.
 */
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

/** Whether the operator's role has the right and, for an integration's key, its scopes name it. */
export function hasRight(operator: OperatorCaller, right: Right): boolean {
  return can(operator.role, right) && (!operator.scopes || operator.scopes.includes(right))
}

/** The parameters of the address. Answers 404 where one is malformed, because nothing can be at such an address. */
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ActName, acts } from '../../shared/acts.ts'
import { errorCodes } from '../../shared/error-codes.ts'
import { issueText } from '../../shared/issues.ts'
import { can, type Right } from '../../shared/roles.ts'
import type { BuyerRow, Caller } from '../accounts/accounts.ts'
import { type Act, authorise } from '../acts/acts.ts'
import type { OperatorBy } from '../changes/changes.ts'
import type { Context } from '../context.ts'
import { clientOf } from '../http/authentication.ts'
import { answerOf, retryAfterSeconds } from '../http/errors.ts'
import { refuse } from '../refusal.ts'

/** One request of the original contract, parsed: its fields come from the body or, where the contract has it, the query. */
export interface Exchange {
  readonly context: Context
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly body: unknown
  /** The Bearer token, if one came. Cookies never count here. */
  readonly bearer: string | undefined
}

export type Answer = Record<string, unknown> | FastifyReply
export type Handler = (exchange: Exchange) => Promise<Answer>
export type Controller = Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler>>

const BODY_MAX_BYTES = 64 * 1024
const STEP_UP_MS = 15 * 60_000

/** Mounts the controllers with bodies, CORS and errors of the original contract, apart from everything else. */
export async function mountControllers(
  app: FastifyInstance,
  context: Context,
  controllers: Record<string, Controller>,
): Promise<void> {
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      // Old clients send JSON as JSON, as text and in form bodies: what counts is what is in it.
      scope.addContentTypeParser(
        '*',
        { parseAs: 'string', bodyLimit: BODY_MAX_BYTES },
        (request, body, done) => {
          try {
            done(null, parseBody(String(body), request.headers['content-type'] ?? ''))
          } catch {
            done(Object.assign(new Error('malformed'), { statusCode: 400 }))
          }
        },
      )
      scope.setErrorHandler((error, request, reply) => sendFailure(error, request, reply))
      scope.setNotFoundHandler((_request, reply) => fail(reply, 404, 'not_found'))
      scope.addHook('onRequest', async (request, reply) => allowOrigin(context, request, reply))
      for (const [file, controller] of Object.entries(controllers)) mountOne(scope, context, file, controller)
    },
    { prefix: '/api/controllers' },
  )
}

function mountOne(scope: FastifyInstance, context: Context, file: string, controller: Controller): void {
  const methods = Object.keys(controller)
  scope.all(`/${file}`, async (request, reply) => {
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', methods.join(', ')).send()
    const handler = controller[request.method as keyof Controller]
    if (!handler) return fail(reply.header('allow', methods.join(', ')), 405, 'method_not_allowed')
    const exchange: Exchange = { context, request, reply, body: request.body, bearer: bearerOf(request) }
    const answer = await handler(exchange)
    if ('hijack' in answer) return answer
    return reply.header('cache-control', 'no-store').send({ status: 'success', ...(answer as object) })
  })
}

/** JSON wherever it stands; a form of fields, where it is one. Empty is no body. Throws for what is neither. */
function parseBody(text: string, contentType: string): unknown {
  if (text.trim() === '') return undefined
  if (!contentType.includes('form-urlencoded')) return JSON.parse(text)
  const decoded = decodeURIComponent(text.replaceAll('+', ' ')).replace(/=$/, '')
  if (/^\s*[[{]/.test(decoded)) return JSON.parse(/^\s*[[{]/.test(text) ? text : decoded)
  return Object.fromEntries(new URLSearchParams(text))
}

/** Off unless the setting lists the origin. */
async function allowOrigin(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin } = request.headers
  if (!origin || !context.config.web.corsOrigins.includes(origin)) return
  reply.header('access-control-allow-origin', origin).header('vary', 'origin')
  if (request.method !== 'OPTIONS') return
  reply
    .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
    .header('access-control-allow-headers', 'authorization, content-type')
    .header('access-control-max-age', '600')
}

function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** These two are told by their code, because clients act on them. */
const toldByCode = ['step_up_required', 'second_factor_required']

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, details, issues } = answerOf(error)
  const { status, en } = errorCodes[code]
  if (status >= 500) request.log.error({ err: error }, `wire request failed: ${code}`)
  const retryAfter = retryAfterSeconds(status, details)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  const message = toldByCode.includes(code) ? code : issues?.[0] ? issueText(issues[0], 'en') : en
  return reply.code(status).header('cache-control', 'no-store').send({ status: 'error', message, code })
}

function fail(reply: FastifyReply, status: number, code: 'not_found' | 'method_not_allowed'): FastifyReply {
  return reply.code(status).send({ status: 'error', message: errorCodes[code].en, code })
}

/** One field of the query as text; repeated ones are refused rather than guessed. */
export function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name]
  if (Array.isArray(value)) refuse('malformed_request')
  return typeof value === 'string' && value !== '' ? value : undefined
}

export interface WireBuyer extends BuyerRow {
  caller: Caller
}

/** The buyer whose token this is, or undefined. */
export async function buyerBy(
  { context }: Exchange,
  token: string | undefined,
): Promise<WireBuyer | undefined> {
  const row = token ? await context.accounts.authenticate(token) : undefined
  return row && { ...row, caller: { userId: row.user_id, sessionId: row.session_id } }
}

export interface WireOperator {
  operatorId: string
  login: string
  caller: { operatorId: string; sessionId: string; requestId: string }
  hasFreshLogin: boolean
  can(right: Right): boolean
  /** Who asks, as acts take it. */
  readonly by: OperatorBy
}

/** The operator whose token this is, or undefined. */
export async function operatorBy(
  { context, request }: Exchange,
  token: string | undefined,
): Promise<WireOperator | undefined> {
  const row = token ? await context.operators.authenticate(token) : undefined
  if (!row) return undefined
  return {
    operatorId: row.operator_id,
    login: row.login,
    caller: { operatorId: row.operator_id, sessionId: row.session_id, requestId: request.id },
    hasFreshLogin: Date.now() - row.authenticated_at.getTime() <= STEP_UP_MS,
    can: (right) => can(row.role, right),
    by: {
      kind: 'operator',
      operatorId: row.operator_id,
      login: row.login,
      role: row.role,
      sessionId: row.session_id,
      authenticatedAt: row.authenticated_at,
      requestId: request.id,
    },
  }
}

/** The operator with that right. Refusals: not_signed_in, not_for_your_role, step_up_required (for sensitive calls). */
export async function requireOperator(
  exchange: Exchange,
  token: string | undefined,
  right: Right | 'any',
  sensitive: 'sensitive' | 'plain' = 'plain',
): Promise<WireOperator> {
  const operator = (await operatorBy(exchange, token)) ?? refuse('not_signed_in')
  if (right !== 'any' && !operator.can(right)) refuse('not_for_your_role')
  if (sensitive === 'sensitive' && !operator.hasFreshLogin) refuse('step_up_required')
  return operator
}

/** Performs an act as the operator whose token this is. Refuses not_signed_in, then what performing acts refuses. */
export async function performAs<Input, Result>(
  { context }: Exchange,
  operator: WireOperator,
  act: Act<Input, Result>,
  input: unknown,
): Promise<Result> {
  return context.acts.perform(act, operator.by, input)
}

/** The operator who may perform this act, asked before the fields are read. Refuses not_signed_in, not_for_your_role, step_up_required. */
export async function operatorFor(
  exchange: Exchange,
  token: string | undefined,
  name: ActName,
): Promise<WireOperator> {
  const operator = (await operatorBy(exchange, token)) ?? refuse('not_signed_in')
  authorise(acts[name], operator.by)
  return operator
}

export const clientOfExchange = ({ request }: Exchange) => clientOf(request)

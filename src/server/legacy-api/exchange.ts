import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ActionName, actions } from '../../shared/actions.ts'
import { errorCodes } from '../../shared/error-codes.ts'
import { can, type Right } from '../../shared/roles.ts'
import { notePeopleRead, PEOPLE_ALARM } from '../access-log/access-log.ts'
import type { BuyerRow } from '../accounts/accounts.ts'
import { type Action, authorise, isFresh } from '../actions/actions.ts'
import type { Context } from '../context.ts'
import { bearerOf, clientOf } from '../http/authentication.ts'
import { charged, type RouteCost, SHARED, VISITOR_BODY_BYTES_MAX } from '../http/costs.ts'
import { answerOf, retryAfterSeconds } from '../http/errors.ts'
import { noteRefusal } from '../http/security-log.ts'
import { issueText } from '../invalid-input.ts'
import { errorText, refuse } from '../refusal.ts'
import type { BuyerActor, OperatorActor } from '../unit-of-work/unit-of-work.ts'

/** Fields come from the body or, where the legacy API allows, the query. */
export interface Exchange {
  readonly context: Context
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly body: unknown
  /** Cookies never count here. */
  readonly bearer: string | undefined
}

export type Answer = Record<string, unknown> | FastifyReply
export interface Method {
  readonly cost: RouteCost
  readonly answer: (exchange: Exchange) => Promise<Answer>
}
type MethodName = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Controller = { readonly [Name in MethodName]?: Method }

/** Operators send the largest bodies (settings). */
export const forOperators = (answer: Method['answer'], cost: RouteCost = {}): Method => ({
  cost: { statements: 50, mails: 20, bodyBytes: 65_536, audience: { operator: 'any' }, ...cost },
  answer,
})

/** Old clients send JSON as JSON, text or form; the content decides. Other types, or none, are 415. */
const bodyTypes = ['application/json', 'text/plain', 'application/x-www-form-urlencoded']

/** The legacy API's bodies, CORS and errors are isolated from other routes. */
export async function mountControllers(
  app: FastifyInstance,
  context: Context,
  controllers: Record<string, Controller>,
): Promise<void> {
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(bodyTypes, { parseAs: 'string' }, (request, body, done) => {
        try {
          done(null, parseBody(String(body), request.headers['content-type'] ?? ''))
        } catch {
          done(Object.assign(new Error('malformed'), { statusCode: 400 }))
        }
      })
      scope.setErrorHandler((error, request, reply) => sendFailure(error, request, reply))
      scope.setNotFoundHandler((_request, reply) => fail(reply, 404, 'not_found'))
      scope.addHook('onRequest', async (request, reply) => allowOrigin(context, request, reply))
      for (const [file, controller] of Object.entries(controllers)) mountOne(scope, context, file, controller)
    },
    { prefix: '/api/controllers' },
  )
}

function mountOne(scope: FastifyInstance, context: Context, file: string, controller: Controller): void {
  const methods = Object.entries(controller)
  const allowed = Object.keys(controller).join(', ')
  for (const [method, { cost, answer: work }] of methods)
    scope.route({
      method,
      url: `/${file}`,
      ...charged({ bodyBytes: VISITOR_BODY_BYTES_MAX, ...cost }),
      handler: async (request, reply) => {
        const exchange: Exchange = { context, request, reply, body: request.body, bearer: bearerOf(request) }
        const answer = await work(exchange)
        // Returning the reply avoids a second response if the handler has answered.
        if (!answer || reply.sent) return reply
        return reply.header('cache-control', 'no-store').send({ status: 'success', ...(answer as object) })
      },
    })
  scope.route({
    method: [...scope.supportedMethods].filter(
      (method) => !(method in controller) && !(method === 'HEAD' && 'GET' in controller),
    ),
    url: `/${file}`,
    ...SHARED,
    handler: async ({ method }, reply) => {
      void reply.header('allow', allowed)
      return method === 'OPTIONS' ? reply.code(204).send() : fail(reply, 405, 'method_not_allowed')
    },
  })
}

/** JSON of any content type, or form fields. Empty: no body. Throws for anything else. */
function parseBody(text: string, contentType: string): unknown {
  if (text.trim() === '') return undefined
  if (!contentType.includes('form-urlencoded')) return JSON.parse(text)
  const decoded = decodeURIComponent(text.replaceAll('+', ' ')).replace(/=$/, '')
  if (/^\s*[[{]/.test(decoded)) return JSON.parse(/^\s*[[{]/.test(text) ? text : decoded)
  return Object.fromEntries(new URLSearchParams(text))
}

/** CORS headers for configured origins only. */
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

/** Clients act on these codes. */
const toldByCode = ['step_up_required', 'second_factor_required']

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, details, issues } = answerOf(error)
  noteRefusal(request, code, details)
  const status = errorCodes[code]
  if (status >= 500 && !details?.['limit'])
    request.log.error({ err: error }, `legacy request failed: ${code}`)
  const retryAfter = retryAfterSeconds(status, details)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  const message = toldByCode.includes(code)
    ? code
    : issues?.[0]
      ? issueText(issues[0], 'en')
      : errorText(code)
  return reply.code(status).header('cache-control', 'no-store').send({ status: 'error', message, code })
}

function fail(reply: FastifyReply, status: number, code: 'not_found' | 'method_not_allowed'): FastifyReply {
  return reply.code(status).send({ status: 'error', message: errorText(code), code })
}

export function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name]
  if (Array.isArray(value)) refuse('malformed_request')
  return typeof value === 'string' && value !== '' ? value : undefined
}

// Rules: RIGHT-6
/** Undefined for an unknown token or a browser's session, whose token no program has. */
export async function buyerActor(
  { context, request }: Exchange,
  token: string | undefined,
): Promise<{ row: BuyerRow; actor: BuyerActor } | undefined> {
  const row = token ? await context.accounts.authenticate(token) : undefined
  if (row?.kind !== 'token') return undefined
  request.asker = `user:${row.user_id}`
  const actor: BuyerActor = {
    kind: 'buyer',
    operatorId: null,
    login: 'buyer',
    userId: row.user_id,
    sessionId: row.session_id,
    authenticatedAt: row.authenticated_at,
    requestId: request.id,
  }
  return { row, actor }
}

// Rules: RIGHT-4
/** Undefined for an unknown token or a browser's session. */
export async function operatorActor(
  { context, request }: Exchange,
  token: string | undefined,
): Promise<OperatorActor | undefined> {
  const row = token ? await context.operators.authenticate(token) : undefined
  if (row?.kind !== 'token') return undefined
  request.asker = `operator:${row.operator_id}`
  if (row.lacks_second_factor) refuse('second_factor_missing')
  return {
    kind: 'operator',
    operatorId: row.operator_id,
    login: row.login,
    role: row.role,
    sessionId: row.session_id,
    authenticatedAt: row.authenticated_at,
    requestId: request.id,
  }
}

export async function requireOperator(
  exchange: Exchange,
  token: string | undefined,
  right: Right | 'any',
): Promise<OperatorActor> {
  const operator = (await operatorActor(exchange, token)) ?? refuse('not_signed_in')
  if (right !== 'any' && !can(operator.role, right)) refuse('not_for_your_role')
  return operator
}

/** A whole list needs a fresh login, like operators' downloads. */
export async function noteDownload(
  { context }: Exchange,
  operator: OperatorActor,
  list: 'users' | 'transactions',
): Promise<void> {
  if (!operator.scopes && !isFresh(operator.authenticatedAt)) refuse('step_up_required')
  await context.units.run(operator, async (unit) => {
    await unit.audit('export.download', { type: 'export', id: list }, { after: { filters: [] } })
    await notePeopleRead(unit, operator, list, PEOPLE_ALARM)
  })
}

export async function executeAs<Input, Result>(
  { context, request }: Exchange,
  operator: OperatorActor,
  action: Action<Input, Result>,
  input: unknown,
): Promise<Result> {
  request.action = action.name
  return context.actions.execute(action, operator, input)
}

/** Call it before parsing fields. */
export async function operatorFor(
  exchange: Exchange,
  token: string | undefined,
  name: ActionName,
): Promise<OperatorActor> {
  const operator = (await operatorActor(exchange, token)) ?? refuse('not_signed_in')
  authorise(actions[name], operator)
  return operator
}

export const clientOfExchange = ({ request }: Exchange) => clientOf(request)

import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import { type ActionName, type ActionRule, actions } from '../../shared/actions.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { widthsOf } from '../limits/limits.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { networkOf } from './authentication.ts'
import { Repeats } from './repeats.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** `user:12`, `operator:3`, `key:5`; never personal data. */
    asker?: string
    hasSignedIn?: boolean
    action?: ActionName
    refusal?: { readonly code: ErrorCode; readonly limit?: unknown; readonly isUsed?: unknown }
  }
}

/** Security events; other errors are users' mistakes. */
const byRefusal: Partial<Record<ErrorCode, string>> = {
  login_failed: 'login_failed',
  second_factor_required: 'second_factor_asked',
  second_factor_wrong: 'second_factor_failed',
  passkey_refused: 'passkey_failed',
  password_wrong: 'password_failed',
  link_expired: 'link_refused',
  session_ended: 'session_refused',
  step_up_required: 'step_up_asked',
  not_for_your_role: 'right_refused',
  cross_site_request: 'cross_site_refused',
  too_many_requests: 'limit_reached',
  busy_exporting: 'limit_reached',
  private_key_refused: 'private_key_refused',
  second_operator_required: 'approval_waiting',
  approval_own: 'confirmation_refused',
  approval_related: 'confirmation_refused',
}

/** Metrics exist from the start, so that an alert sees the first event. */
const events = new Set([
  ...Object.values(byRefusal),
  ...Object.values(actions).flatMap(({ event }: ActionRule) => event ?? []),
  'login',
  'key_used',
  'second_factor_used_again',
  'rate_changed',
])

/** Strangers can cause these by any request; logged at most once a second. */
const repeated = new Set(['limit_reached', 'cross_site_refused', 'session_refused'])

export function noteSignedIn(request: FastifyRequest, asker: string): void {
  request.asker = asker
  request.hasSignedIn = true
}

/** `details.limit`: the limit reached. */
export function noteRefusal(
  request: FastifyRequest,
  code: ErrorCode,
  details: Readonly<Record<string, unknown>> | undefined,
): void {
  request.refusal = { code, limit: details?.['limit'], isUsed: details?.['isUsed'] }
}

export interface SecurityLogNeeds {
  readonly log: FastifyBaseLogger
  readonly secrets: Secrets
  readonly registry: Registry
}

// Rules: RIGHT-35
/**
 * Logs and counts each access event after the response: event, caller's reference, network, request. Without
 * a caller, the typed name is a keyed hash, which groups attempts on one account. Events that a stranger can
 * repeat are one line a second each.
 */
export function keepSecurityLog(app: FastifyInstance, { log, secrets, registry }: SecurityLogNeeds): void {
  const counted = new Counter({
    name: 'presale_security_events_total',
    help: 'Events of access, as in the log.',
    labelNames: ['event'],
    registers: [registry],
  })
  const limits = new Counter({
    name: 'presale_limits_reached_total',
    help: 'Requests refused by a limit, by its name.',
    labelNames: ['limit'],
    registers: [registry],
  })
  for (const event of events) counted.inc({ event }, 0)
  const repeats = new Repeats((line) => log.info(line, 'security'))
  app.addHook('onClose', async () => repeats.close())

  app.addHook('onResponse', (request, reply, done) => {
    for (const event of eventsOf(request, reply.statusCode)) {
      counted.inc({ event })
      const line = {
        event,
        who: request.asker ?? null,
        account: request.asker ? undefined : accountOf(request, secrets),
        network: networkOf(request.ip),
        requestId: request.id,
        route: `${request.method} ${request.routeOptions.url ?? ''}`,
      }
      if (!repeated.has(event)) {
        log.info(line, 'security')
        continue
      }
      const limit =
        event === 'limit_reached' ? String(request.refusal?.limit ?? request.refusal?.code) : undefined
      if (limit) limits.inc({ limit })
      const { who, account, network, route } = line
      // Networks of one site count as one caller.
      const site = widthsOf(network).at(-1)?.subject
      repeats.tell([event, who, account, site, route, limit].join(' '), limit ? { ...line, limit } : line)
    }
    done()
  })
}

function eventsOf(request: FastifyRequest, status: number): string[] {
  const found: (string | undefined)[] = [request.asker?.startsWith('key:') ? 'key_used' : undefined]
  if (request.refusal) found.push(eventOf(request.refusal))
  else if (status < 400) {
    if (request.hasSignedIn) found.push('login')
    if (request.action) found.push(eventOfAction(request.action, request.body))
  }
  return found.filter((event) => event !== undefined)
}

/** They affect neither the wallet, nor the currency's identity, nor its rate source. */
const harmlessFields = new Set(['rate', 'fullName', 'revision'])

/** A currency update of harmless fields is `rate_changed`. */
function eventOfAction(action: ActionName, body: unknown): string | undefined {
  const { event } = actions[action] as ActionRule
  if (action !== 'currency.update' || typeof body !== 'object' || body === null) return event
  return Object.keys(body).every((field) => harmlessFields.has(field)) ? 'rate_changed' : event
}

function eventOf({ code, limit, isUsed }: NonNullable<FastifyRequest['refusal']>): string | undefined {
  if (limit) return 'limit_reached'
  return isUsed ? 'second_factor_used_again' : byRefusal[code]
}

/** A keyed hash of the typed login name. */
function accountOf({ body }: FastifyRequest, secrets: Secrets): string | undefined {
  const { login, email } = (body ?? {}) as Readonly<Record<string, unknown>>
  const typed = login ?? email
  if (typeof typed !== 'string') return undefined
  return secrets.mac('security log', typed.trim().toLowerCase()).subarray(0, 9).toString('base64url')
}

import { randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Accounts, type Client, USER_TOKEN_PREFIX } from '../accounts/accounts.ts'
import type { SessionRow } from '../credentials/credentials.ts'
import { OPERATOR_TOKEN_PREFIX, type Operators } from '../operators/operators.ts'
import { refuse } from '../refusal.ts'
import type { PresentedCookie } from '../unit-of-work/unit-of-work.ts'
import type { Authenticator, BuyerCaller, OperatorCaller } from './serve.ts'

export const BUYER_COOKIE = 'session'
export const OPERATOR_COOKIE = 'operator_session'
type SessionCookie = typeof BUYER_COOKIE | typeof OPERATOR_COOKIE
/** No form or simple cross-site request can send it. */
export const CSRF_HEADER = 'x-requested-with'
export const CSRF_VALUE = 'presale'
/** The page shows this account as signed in. */
export const SHOWN_HEADER = 'x-shown-as'

export interface AuthenticatorNeeds {
  accounts: Pick<Accounts, 'authenticate'>
  operators: Pick<Operators, 'authenticate'>
  publicUrl: string
  /** Recognised by prefix. */
  apiKeys?: { isKey(token: string): boolean; operator(token: string): Promise<OperatorCaller | undefined> }
}

/**
 * By Bearer token, else by cookie. An unsafe method with a cookie needs `X-Requested-With: presale` from the
 * same origin, else `cross_site_request`. Throws `session_ended` for an invalid Bearer token and if the page
 * shows an account other than the cookie's. Ignores an expired cookie.
 */
export function createAuthenticator(needs: AuthenticatorNeeds): Authenticator {
  const publicOrigin = new URL(needs.publicUrl).origin
  return {
    async buyer(request) {
      const bearer = bearerOf(request)
      // On a visitor route an operator's token or API key is no buyer and no error.
      if (bearer !== undefined && !bearer.startsWith(USER_TOKEN_PREFIX)) return undefined
      const token = bearer ?? cookieToken(request, BUYER_COOKIE, publicOrigin)
      if (token === undefined) return undefined
      const row = await needs.accounts.authenticate(token)
      if (!row) return bearer === undefined ? undefined : refuse('session_ended')
      refuseAnother(request, row.reference)
      request.asker = `user:${row.user_id}`
      return {
        kind: 'buyer',
        userId: row.user_id,
        reference: row.reference,
        email: row.email,
        language: row.language,
        authenticatedAt: row.authenticated_at,
        sessionId: row.session_id,
        cookie: presented(row),
      } satisfies BuyerCaller
    },
    async operator(request) {
      const bearer = bearerOf(request)
      if (bearer !== undefined && needs.apiKeys?.isKey(bearer)) {
        const key = (await needs.apiKeys.operator(bearer)) ?? refuse('session_ended')
        request.asker = key.sessionId
        return key
      }
      if (bearer !== undefined && !bearer.startsWith(OPERATOR_TOKEN_PREFIX)) return undefined
      const token = bearer ?? cookieToken(request, OPERATOR_COOKIE, publicOrigin)
      if (token === undefined) return undefined
      const row = await needs.operators.authenticate(token)
      if (!row) return bearer === undefined ? undefined : refuse('session_ended')
      refuseAnother(request, row.reference)
      request.asker = `operator:${row.operator_id}`
      return {
        kind: 'operator',
        operatorId: row.operator_id,
        login: row.login,
        role: row.role,
        language: row.language,
        lacksSecondFactor: row.lacks_second_factor,
        authenticatedAt: row.authenticated_at,
        sessionId: row.session_id,
        cookie: presented(row),
      } satisfies OperatorCaller
    },
    giveCookie(kind, reply, token, expiresAt) {
      const name = kind === 'buyer' ? BUYER_COOKIE : OPERATOR_COOKIE
      setSessionCookie(reply, name, publicOrigin, { token, expiresAt })
    },
  }
}

function presented({
  kind,
  token_hash: hash,
  expires_at: expiresAt,
}: SessionRow): PresentedCookie | undefined {
  return kind === 'browser' ? { hash, expiresAt } : undefined
}

export function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  const match = header === undefined ? null : /^Bearer +([\w.~+/-]{10,200}=*)$/i.exec(header)
  return match?.[1]
}

/** Not for session cookies. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  return cookiesOf(request, name)[0]
}

// Rules: RIGHT-12
/**
 * Without an origin check. Throws `malformed_request` for two cookies of one name: another site of the same
 * domain may have set one.
 */
export function sessionCookieOf(
  request: FastifyRequest,
  name: SessionCookie,
  publicUrl: string,
): string | undefined {
  const tokens = cookiesOf(request, sessionCookieName(name, publicUrl))
  return tokens.length > 1 ? refuse('malformed_request') : tokens[0]
}

/** Browsers accept the `__Host-` prefix (https) from this host alone. */
function sessionCookieName(name: SessionCookie, publicUrl: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name
}

function cookiesOf({ headers }: FastifyRequest, name: string): string[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    const value = at > 0 && pair.slice(0, at).trim() === name ? pair.slice(at + 1).trim() : ''
    return value === '' ? [] : [value]
  })
}

// Rules: RIGHT-13
/** Tabs share one cookie; another tab may have switched accounts. */
function refuseAnother({ headers }: FastifyRequest, reference: string): void {
  const shown = headers[SHOWN_HEADER]
  if (shown !== undefined && shown !== reference) refuse('session_ended')
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

function cookieToken(request: FastifyRequest, name: SessionCookie, publicOrigin: string): string | undefined {
  const token = sessionCookieOf(request, name, publicOrigin)
  if (token !== undefined && !SAFE_METHODS.has(request.method)) refuseCrossSite(request, publicOrigin)
  return token
}

/** Throws `cross_site_request` unless the site's own page sent the request. */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string): void {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (request.headers[CSRF_HEADER] !== CSRF_VALUE) refuse('cross_site_request')
  if (site !== undefined && site !== 'same-origin') refuse('cross_site_request')
  if (origin !== undefined && origin !== new URL(publicUrl).origin && hostOf(origin) !== host) {
    refuse('cross_site_request')
  }
}

/** Throws `cross_site_request` unless the browser says that a page of this site sent the form. */
export function refuseForeignForm(request: FastifyRequest, publicUrl: string): void {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') refuse('cross_site_request')
  if (origin === undefined) refuse('cross_site_request')
  if (origin !== new URL(publicUrl).origin && hostOf(origin) !== host) refuse('cross_site_request')
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/** HttpOnly, SameSite=Lax, Secure on https; null removes the cookie. */
export function setSessionCookie(
  reply: FastifyReply,
  name: SessionCookie,
  publicUrl: string,
  session: { token: string; expiresAt: Date } | null,
): void {
  const parts = [
    `${sessionCookieName(name, publicUrl)}=${session?.token ?? ''}`,
    'Path=/',
    `Expires=${(session?.expiresAt ?? new Date(0)).toUTCString()}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ]
  addCookie(reply, parts.join('; '))
}

/** Also forbids caching. */
export function addCookie(reply: FastifyReply, cookie: string): void {
  // Previous cookies stay.
  reply.header('set-cookie', cookie).header('cache-control', 'no-store')
}

/** With the browser's id; an IPv6 network is the /64. */
export function clientOf(request: FastifyRequest): Client {
  const browser = cookieOf(request, BROWSER_COOKIE)
  return {
    network: networkOf(request.ip),
    userAgent: String(request.headers['user-agent'] ?? ''),
    browser: browser && /^[0-9a-f]{32}$/.test(browser) ? browser : undefined,
    payHashes: request.payHashes,
  }
}

/** Signed in, with the session. */
export function askerOf({
  caller,
  request,
}: {
  readonly caller: BuyerCaller | OperatorCaller
  readonly request: FastifyRequest
}): Client {
  return { ...clientOf(request), session: caller.sessionId }
}

const BROWSER_COOKIE = 'browser'
/** As networks of logins, unless an operator sets another period. */
const BROWSER_DAYS = 180

// Rules: RIGHT-5
/**
 * Gives a browser its id with the cookie: no session, but strangers' attempts then cannot lock out accounts
 * that logged in with it.
 */
export async function fromBrowser<T>(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  as: 'cookie' | 'token',
  publicUrl: string,
  enter: (client: Client) => Promise<T>,
): Promise<T> {
  const client = clientOf(request)
  if (as === 'token') return enter(client)
  const { browser = randomBytes(16).toString('hex') } = client
  const entered = await enter({ ...client, browser })
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const kept = `Max-Age=${BROWSER_DAYS * 86_400}; Path=/; HttpOnly; SameSite=Lax${secure}`
  addCookie(reply, `${BROWSER_COOKIE}=${browser}; ${kept}`)
  return entered
}

export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = (ip.split('%')[0] ?? ip).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const groups =
    tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

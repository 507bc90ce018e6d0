import { randomUUID } from 'node:crypto'

export const password = 'correct horse battery 9'

export const fromOwnPage = { 'x-requested-with': 'presale' }

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly code: string | undefined
  readonly body: any
}

/** Routes that need an operator's whole proof. In most tests the operator has no second factor, so the password is enough. */
const NEEDS_PROOF =
  /^(POST|PATCH) .*\/operator\/operators(\/\d+(\/invitation)?)?$|^PUT .*\/operator\/mail-server$/

const withProof = (method: string, url: string, body: unknown) =>
  NEEDS_PROOF.test(`${method} ${url}`) && typeof body === 'object' && body !== null
    ? { proof: { password }, ...body }
    : body

/**
 * With any result. A string `body` is sent unchanged. Adds the usual password as the proof
 * where one is needed, unless `body` has `proof`.
 */
export async function sendJson(
  method: string,
  url: string,
  body?: unknown,
  headers: object = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body:
      body === undefined || typeof body === 'string'
        ? (body as string)
        : JSON.stringify(withProof(method, url, body)),
  })
  const text = await response.text()
  const parsed = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, code: parsed?.error?.code, body: parsed }
}

/** Calls over real HTTP. */
export interface ApiCaller {
  <T = unknown>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>
}

export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(`${status} ${code}: ${message}`)
    this.status = status
    this.code = code
  }
}

/** Calls with `token` as a buyer or an operator, else as a visitor. Throws `ApiFailure`. */
export function apiOf(url: string, token?: string): ApiCaller {
  return async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const sent = { ...(token ? bearer(token) : {}), ...headers }
    const answer = await sendJson(method, `${url}/api/v1${path}`, body, sent)
    if (answer.status >= 400) {
      const message = answer.body?.error?.message ?? JSON.stringify(answer.body)
      throw new ApiFailure(answer.status, answer.code ?? '', message)
    }
    return answer.body as T
  }
}

export async function registerToken(
  url: string,
  email = `${randomUUID()}@example.org`,
  name = 'A Buyer',
): Promise<string> {
  const account = { name, email, phone: '+37255550000', password, as: 'token' }
  return (await apiOf(url)<{ token: string }>('POST', '/account', account)).token
}

export async function operatorToken(url: string, login: string): Promise<string> {
  const asked = { login, password, as: 'token' }
  return (await apiOf(url)<{ token: string }>('POST', '/operator/session', asked)).token
}

export function acceptInvitation(url: string, link: string, email?: string): Promise<unknown> {
  const token = link.split('#invitation=')[1]
  return apiOf(url)('POST', '/operator/invitations/use', { token, password, email }, fromOwnPage)
}

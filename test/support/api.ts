/** Calls of the product's own API as a program makes them, over real HTTP. */
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

/** With `token` as a buyer or an operator, without as a visitor. A refusal throws `ApiFailure`. */
export function apiOf(url: string, token?: string): ApiCaller {
  return async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    const answer = text ? JSON.parse(text) : undefined
    if (!response.ok) {
      throw new ApiFailure(response.status, answer?.error?.code ?? '', answer?.error?.message ?? text)
    }
    return answer as T
  }
}

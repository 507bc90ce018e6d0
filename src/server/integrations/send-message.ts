import { createHmac, randomBytes } from 'node:crypto'
import { type Outside, postOutside, reasonOfFailure } from '../outside/outside.ts'

export type { Outside } from '../outside/outside.ts'

export interface Message {
  readonly id: string
  readonly body: string
}

export interface Attempt {
  readonly at: string
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly response: string | null
}

const SECRET_PREFIX = 'whsec_'

export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64')
}

/** Standard Webhooks, symmetric: `v1,` and base64 of HMAC-SHA-256 over `id.timestamp.body`. */
export function signMessage(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** Never throws; `error` has the failure. */
export async function sendMessage(
  url: string,
  message: Message,
  secrets: readonly string[],
  outside: Outside = {},
): Promise<Attempt> {
  const started = Date.now()
  const done = (result: Pick<Attempt, 'status' | 'error' | 'response'>): Attempt => ({
    at: new Date(started).toISOString(),
    durationMs: Date.now() - started,
    ...result,
  })
  try {
    const timestamp = Math.floor(started / 1_000)
    const response = await postOutside(
      url,
      message.body,
      {
        'content-type': 'application/json',
        'user-agent': 'presale-webhooks/1',
        'webhook-id': message.id,
        'webhook-timestamp': String(timestamp),
        ...(secrets.length > 0 && {
          'webhook-signature': secrets
            .map((secret) => signMessage(secret, message.id, timestamp, message.body))
            .join(' '),
        }),
      },
      outside,
    )
    const isTaken = response.status >= 200 && response.status < 300
    return done({
      status: response.status,
      error: isTaken
        ? null
        : response.status >= 300 && response.status < 400
          ? 'redirects are not followed'
          : `answered ${response.status}`,
      response: response.text,
    })
  } catch (error) {
    return done({ status: null, error: reasonOfFailure(error), response: null })
  }
}

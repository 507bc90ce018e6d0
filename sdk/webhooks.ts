import type { SaleEvent } from './client.ts'

/** The message is not from the sale, or too old: answer 400 and ignore it. */
export class WebhookRefusal extends Error {
  readonly reason: 'headers' | 'time' | 'signature' | 'body'

  constructor(reason: WebhookRefusal['reason']) {
    super(`The webhook is refused by its ${reason}`)
    this.name = 'WebhookRefusal'
    this.reason = reason
  }
}

export interface WebhookOptions {
  /** The permitted clock difference; 300 by default. */
  readonly toleranceSeconds?: number
  /** The current time in milliseconds. */
  readonly now?: number
}

type HeadersLike = Headers | Readonly<Record<string, string | string[] | undefined>>

/**
 * Returns a webhook's event if it is signed with the webhook's secret (Standard Webhooks). `body` must be the
 * raw bytes, because parsing and serialising changes the signature. Throws `WebhookRefusal`.
 */
export async function readWebhook(
  secret: string,
  headers: HeadersLike,
  body: string,
  { toleranceSeconds = 300, now = Date.now() }: WebhookOptions = {},
): Promise<SaleEvent> {
  const of = (name: string) => (headers instanceof Headers ? headers.get(name) : headers[name])
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(of)
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signatures !== 'string')
    throw new WebhookRefusal('headers')
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1_000 - Number(time)) > toleranceSeconds)
    throw new WebhookRefusal('time')
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${time}.${body}`)
  if (!(await isSigned(key, signatures, signed))) throw new WebhookRefusal('signature')
  const event = eventOf(body)
  // The id is signed too, so another id in the body is a forgery.
  if (event?.id !== id) throw new WebhookRefusal('body')
  return event
}

/** While a secret is rotated a message carries two signatures; one match is enough. */
async function isSigned(key: CryptoKey, signatures: string, signed: BufferSource): Promise<boolean> {
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',')
    // Constant-time comparison.
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed))) return true
  }
  return false
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

function eventOf(body: string): SaleEvent | undefined {
  try {
    const event = JSON.parse(body) as SaleEvent | null
    return Number.isSafeInteger(event?.number) ? (event ?? undefined) : undefined
  } catch {
    return undefined
  }
}

import { type Database, type Queryable, sql } from '../database/database.ts'
import {
  type Outside,
  postOutside,
  readNothing,
  reasonAgainstUrl,
  reasonOfFailure,
} from '../outside/outside.ts'
import type { Secrets } from '../secrets/secrets.ts'
import {
  authorizationOf,
  encryptForBrowser,
  isKeyOfBrowser,
  newSenderKey,
  type PushTarget,
  type SenderKey,
} from './web-push.ts'

export type { PushTarget } from './web-push.ts'

// Rules: TEXT-14
export interface SenderNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly publicUrl: string
  readonly outside?: Outside | undefined
  readonly services: readonly string[]
}

/** Readable by the browser alone. */
export interface PushMessage {
  readonly title: string
  readonly body: string
  readonly lang: string
  readonly path: string
  /** The signed-in buyer's order, whose page opens instead. */
  readonly order?: string
  /** For a first message. */
  readonly confirms?: { readonly id: string; readonly proof: string }
  /** A message silently replaces one with the same tag. */
  readonly tag: string
}

export interface Sent {
  /** `gone`: never again; `refused`: a permanent error. */
  readonly outcome: 'sent' | 'gone' | 'later' | 'refused'
  readonly error: string | null
}

/** A message expires after this time if the browser is off. */
const TTL_SECONDS = 24 * 3_600
const TITLE_MAX = 100
const BODY_MAX = 500

// Rules: TEXT-12
/** The first use creates the key. */
export class Sender {
  readonly #needs: SenderNeeds
  #publicKey: string | undefined

  constructor(needs: SenderNeeds) {
    this.#needs = needs
  }

  /** In the browsers' format. Never changes: subscriptions are bound to it. */
  async publicKey(): Promise<string> {
    this.#publicKey ??= (await this.#key()).publicKey
    return this.#publicKey
  }

  /** Null if messages can be sent. */
  reasonAgainst(target: PushTarget): string | null {
    const reason = reasonAgainstUrl(target.endpoint)
    if (reason) return reason
    const { hostname, port } = new URL(target.endpoint)
    // The caller's address must not make the server call others or scan ports.
    if (!this.#needs.services.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`)))
      return 'no known push service'
    if (!this.#needs.outside && port !== '') return 'not the port of https'
    return isKeyOfBrowser(target) ? null : 'not a key'
  }

  /** Never throws for the other side's errors. */
  async send(target: PushTarget, message: PushMessage): Promise<Sent> {
    const { publicUrl, outside } = this.#needs
    const reason = this.reasonAgainst(target)
    if (reason) return { outcome: 'refused', error: reason }
    const { title, body, ...rest } = message
    const text = JSON.stringify({ title: title.slice(0, TITLE_MAX), body: body.slice(0, BODY_MAX), ...rest })
    const headers = {
      authorization: authorizationOf(target.endpoint, await this.#key(), publicUrl),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(TTL_SECONDS),
      urgency: 'normal',
    }
    try {
      const sealed = encryptForBrowser(target, text)
      const { status } = await postOutside(target.endpoint, sealed, headers, outside, readNothing)
      return outcomeOf(status)
    } catch (error) {
      return { outcome: 'later', error: reasonOfFailure(error) }
    }
  }

  async #key(): Promise<SenderKey> {
    const { db, secrets } = this.#needs
    const row = (await readKey(db)) ?? (await db.transaction((tx) => makeKey(tx, secrets)))
    return {
      publicKey: row.public_key,
      privateKey: secrets.decrypt('push-key', row.key_encrypted, String(row.id)),
    }
  }
}

function outcomeOf(status: number): Sent {
  if (status >= 200 && status < 300) return { outcome: 'sent', error: null }
  const error = `answered ${status}`
  if (status === 404 || status === 410) return { outcome: 'gone', error }
  return { outcome: status === 408 || status === 429 || status >= 500 ? 'later' : 'refused', error }
}

interface KeyRow {
  readonly id: number
  readonly public_key: string
  readonly key_encrypted: Buffer
}

const readKey = (db: Queryable) =>
  db.maybeOne<KeyRow>(sql`select id, public_key, key_encrypted from push_keys order by id limit 1`)

/** Concurrent callers make one key. */
async function makeKey(tx: Queryable, secrets: Secrets): Promise<KeyRow> {
  await tx.query(sql`lock table push_keys in share row exclusive mode`)
  const made = await readKey(tx)
  if (made) return made
  const { publicKey, privateKey } = newSenderKey()
  const { id } = await tx.one<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('push_keys', 'id'))::integer as id`,
  )
  return tx.one<KeyRow>(
    sql`insert into push_keys (id, public_key, key_encrypted) overriding system value
        values (${id}, ${publicKey}, ${secrets.encrypt('push-key', privateKey, String(id))})
        returning id, public_key, key_encrypted`,
  )
}

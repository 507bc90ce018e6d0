import { type Queryable, sql } from '../database/database.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { LITTLE, RESERVED, type Width, widthsOf } from './widths.ts'

export { countOpen } from './open-counts.ts'
export { widthsOf } from './widths.ts'

// Rules: WALLET-10, TEXT-6
/** `burst` at once, replenished evenly over `perSeconds`. */
export interface Rate {
  burst: number
  perSeconds: number
}

/** The first `free` attempts don't wait; each further one waits twice as long as the last. */
export interface Growth {
  free: number
  baseSeconds: number
  maxSeconds: number
  /** Without an attempt for this long the count restarts. */
  forgetSeconds: number
}

// Rules: RIGHT-25
export const rates = {
  /** Each registration costs a password hash. */
  register_all: { burst: 20_000, perSeconds: 3600 },
  register_network: { burst: 120, perSeconds: 3600 },
  register_address: { burst: 5, perSeconds: 3600 },
  login_network: { burst: 120, perSeconds: 600 },
  operator_network: { burst: 60, perSeconds: 600 },
  /** Logins of one account in one browser from which it has logged in. */
  login_browser: { burst: 20, perSeconds: 600 },
  reset_network: { burst: 10, perSeconds: 3600 },
  reset_address: { burst: 3, perSeconds: 3600 },
  debt_network: { burst: 10, perSeconds: 3600 },
  debt_address: { burst: 3, perSeconds: 3600 },
  /** Mails to an unconfirmed mailbox, except confirmation links and mails about money. */
  unproved_mailbox: { burst: 10, perSeconds: 24 * 3600 },
  /** Mails of one account after others used up those of its mailbox. */
  unproved_account: { burst: 3, perSeconds: 24 * 3600 },
  /** Mails of one kind that a session of the account can cause. */
  account_kind: { burst: 30, perSeconds: 24 * 3600 },
  confirm_account: { burst: 3, perSeconds: 3600 },
  passkey_network: { burst: 60, perSeconds: 600 },
  /** Each costs a hash and a mail. */
  password_account: { burst: 5, perSeconds: 3600 },
  email_change_account: { burst: 5, perSeconds: 3600 },
  /** Wallets watch only a few unused addresses. */
  address_account: { burst: 30, perSeconds: 3600 },
  order_account: { burst: 60, perSeconds: 600 },
  /**
   * The first order of a buyer with an unconfirmed address; strangers behind the same network cannot use it
   * up.
   */
  order_unproved_account: { burst: 1, perSeconds: 30 * 24 * 3600 },
  /** Further ones: each is watched for ever, and operators check those reported as paid. */
  order_unproved_network: { burst: 60, perSeconds: 3600 },
  upload_account: { burst: 60, perSeconds: 600 },
  /** Each queries a node, and most send a mail. */
  delivery_address_account: { burst: 20, perSeconds: 3600 },
  follow_network: { burst: 20, perSeconds: 3600 },
  follow_address: { burst: 3, perSeconds: 24 * 3600 },
  comment_account: { burst: 6, perSeconds: 3600 },
  comment_report_account: { burst: 30, perSeconds: 3600 },
  push_account: { burst: 30, perSeconds: 3600 },
  export_account: { burst: 5, perSeconds: 600 },
} as const satisfies Record<string, Rate>
export type RateName = keyof typeof rates

const HOUR = 3600
const DAY = 24 * HOUR
export const growths = {
  login_pair: { free: 5, baseSeconds: 2, maxSeconds: 900, forgetSeconds: DAY },
  /** From all unknown networks: below 100 guesses an hour (ASVS 2.2.1). */
  login_account: { free: 30, baseSeconds: 1, maxSeconds: 60, forgetSeconds: DAY },
  operator_pair: { free: 3, baseSeconds: 5, maxSeconds: 900, forgetSeconds: DAY },
  operator_account: { free: 20, baseSeconds: 2, maxSeconds: 60, forgetSeconds: DAY },
  /** Per account and network; these clients know the password. */
  second_factor_pair: { free: 5, baseSeconds: 5, maxSeconds: 900, forgetSeconds: DAY },
  /** From all unknown networks. */
  second_factor: { free: 5, baseSeconds: 5, maxSeconds: 900, forgetSeconds: DAY },
  /** Inside a session. */
  step_up: { free: 5, baseSeconds: 5, maxSeconds: 900, forgetSeconds: HOUR },
} as const satisfies Record<string, Growth>
export type GrowthName = keyof typeof growths

/** A process remembers reached limits: a flood costs no statement per request. */
const REMEMBERED_MS = 1_000
const REMEMBERED_MAX = 10_000
/** Known networks and browsers of one account: frequent logins add no rows. */
const KNOWN_MAX = 100

export interface LimitsNeeds {
  readonly db: Queryable
  readonly secrets: Secrets
  /** `RATE_LIMIT`. */
  readonly isOn: boolean
}

/** In the database, shared by all processes. Subjects are stored only as keyed hashes. */
export class Limits {
  readonly #db: Queryable
  readonly #secrets: Secrets
  readonly #isOn: boolean
  /** By name and subject, in memory: a check needs no hash. */
  readonly #reached = new Map<string, { readonly endsAtMs: number; readonly waitMs: number }>()

  constructor({ db, secrets, isOn }: LimitsNeeds) {
    this.#db = db
    this.#secrets = secrets
    this.#isOn = isOn
  }

  /**
   * One unit; for a network, of each width. Throws `too_many_requests` with `retryAfterSeconds` and `limit`,
   * from memory for up to a second. Commits asynchronously, so a crash may lose the last second's counts.
   */
  async take(name: RateName, subject: string): Promise<void> {
    if (!this.#isOn) return
    this.recall(name, subject)
    await this.#takeOf(name, subjectsOf(name, subject), 0)
  }

  /** The second budget once the first is used up. Throws as `take`. */
  async takeEither(first: [name: RateName, subject: string], second: typeof first): Promise<void> {
    try {
      await this.take(...first)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'too_many_requests') throw error
      await this.take(...second)
    }
  }

  /** `isFirst`: nearby networks used little lately, for `takeOfAll`. Throws as `take`. */
  async takeFirst(name: RateName, subject: string): Promise<{ isFirst: boolean }> {
    if (!this.#isOn) return { isFirst: true }
    this.recall(name, subject)
    const widths = subjectsOf(name, subject)
    const little = { subject: `little ${widths.at(-1)?.subject}`, times: LITTLE }
    return { isFirst: await this.#takeOf(name, widths, 0, little) }
  }

  // Rules: RIGHT-25
  /** Of the budget that all networks share; a quarter is reserved for `isFirst`. Throws as `take`. */
  async takeOfAll(name: RateName, isFirst: boolean): Promise<void> {
    if (!this.#isOn) return
    // Others' rejection does not apply to the reserved quarter.
    if (!isFirst) this.recall(name, '')
    await this.#takeOf(name, [{ subject: '', times: 1 }], isFirst ? 0 : RESERVED)
  }

  /** Of each width, or throws. Returns whether `little`, which rejects nothing, was taken too. */
  async #takeOf(
    name: RateName,
    widths: readonly Width[],
    reserved: number,
    little?: Width,
  ): Promise<boolean> {
    const { burst, perSeconds } = rates[name]
    const asked = little ? [...widths, little] : widths
    const keys = asked.map(({ subject }) => this.#keyOf(name, subject))
    const seconds = asked.map(({ times }) => perSeconds / (burst * times))
    const bound = perSeconds * (1 - reserved)
    const taken = await this.#db.query<{ key: string }>(
      sql`insert into rate_limits as r (key, free_at)
          select key, now() + make_interval(secs => one)
            from unnest(${keys}::text[], ${seconds}::float8[]) with ordinality as asked (key, one, nth)
           cross join set_config('synchronous_commit', 'off', true)
           order by nth
          on conflict (key) do update set free_at = greatest(r.free_at, now()) + (excluded.free_at - now())
            where greatest(r.free_at, now()) + (excluded.free_at - now()) <= now() + make_interval(secs => ${bound})
          returning key`,
    )
    const refusedAt = keys.findIndex((key) => !taken.some((row) => row.key === key))
    if (refusedAt < 0) return true
    if (refusedAt === widths.length) return false
    return this.#refuseFor(
      name,
      widths[refusedAt]?.subject ?? '',
      await this.#db.maybeOne<Wait>(
        sql`select extract(epoch from free_at + make_interval(secs => ${seconds[refusedAt] ?? 0})
                                      - make_interval(secs => ${bound}) - now())::float8 as seconds
              from rate_limits where key = ${keys[refusedAt] ?? ''}`,
      ),
    )
  }

  /** Throws `too_many_requests` if this process lately found the limit reached. */
  recall(name: RateName | GrowthName, subject: string): void {
    for (const one of subjectsOf(name, subject)) {
      const place = placeOf(name, one.subject)
      const reached = this.#reached.get(place)
      if (!reached) continue
      const nowMs = performance.now()
      // Another process's `forgive` takes effect a second later.
      if (nowMs < reached.endsAtMs) refuseFor(name, (reached.waitMs - nowMs) / 1000)
      this.#reached.delete(place)
    }
  }

  /** Before the outcome is known, so that parallel guesses all count. Throws as `take`. */
  async strike(name: GrowthName, subject: string): Promise<void> {
    if (!this.#isOn) return
    this.recall(name, subject)
    const { free, baseSeconds, maxSeconds, forgetSeconds } = growths[name]
    const key = this.#keyOf(name, subject)
    const struck = await this.#db.query(
      sql`insert into attempt_strikes as a (key, strikes, struck_at, blocked_until) values (${key}, 1, now(), now())
          on conflict (key) do update set
            strikes = case when a.struck_at < now() - make_interval(secs => ${forgetSeconds}) then 1 else a.strikes + 1 end,
            struck_at = now(),
            blocked_until = case
              when a.struck_at < now() - make_interval(secs => ${forgetSeconds}) or a.strikes + 1 < ${free} then now()
              else now() + make_interval(
                secs => least(${maxSeconds}, ${baseSeconds} * power(2, least(a.strikes + 1 - ${free}, 20))))
            end
          where a.blocked_until <= now()
          returning key`,
    )
    if (struck.length > 0) return
    this.#refuseFor(
      name,
      subject,
      await this.#db.maybeOne<Wait>(
        sql`select extract(epoch from blocked_until - now())::float8 as seconds from attempt_strikes where key = ${key}`,
      ),
    )
  }

  /** The whole count after a success, or one attempt. `db` may be the caller's transaction. */
  async forgive(name: GrowthName, subject: string, what: 'all' | 'one', db = this.#db): Promise<void> {
    if (!this.#isOn) return
    this.#reached.delete(placeOf(name, subject))
    const key = this.#keyOf(name, subject)
    await db.query(
      what === 'all'
        ? sql`delete from attempt_strikes where key = ${key}`
        : sql`update attempt_strikes set strikes = greatest(strikes - 1, 0), blocked_until = struck_at where key = ${key}`,
    )
  }

  /** Keeps the account's latest 100 networks and browsers. Returns whether this one was known. */
  async rememberNetwork(db: Queryable, account: string, network: string): Promise<boolean> {
    const [subjects, hashes] = this.#networkKeys(account, network)
    const row = await db.one<{ known: boolean }>(
      sql`with before as (select 1 from known_networks where subject = any(${subjects}) and network_hash = any(${hashes})),
          written as (
            insert into known_networks (subject, network_hash) values (${subjects[0]}, ${hashes[0]})
            on conflict (subject, network_hash) do update set last_login_at = now()
          ),
          dropped as (
            delete from known_networks k using (
              select network_hash from known_networks where subject = ${subjects[0]} and network_hash <> ${hashes[0]}
               order by last_login_at desc offset ${KNOWN_MAX - 1}) older
             where k.subject = ${subjects[0]} and k.network_hash = older.network_hash
          )
          select exists (select from before) as known`,
    )
    return row.known
  }

  async forgetNetworks(db: Queryable, account: string): Promise<void> {
    const [subjects] = this.#networkKeys(account, '')
    await db.query(sql`delete from known_networks where subject = any(${subjects})`)
  }

  async isNetworkKnown(account: string, network: string): Promise<boolean> {
    const [subjects, hashes] = this.#networkKeys(account, network)
    const row = await this.#db.one<{ known: boolean }>(
      sql`select exists (
            select from known_networks where subject = any(${subjects}) and network_hash = any(${hashes})) as known`,
    )
    return row.known
  }

  #refuseFor(name: string, subject: string, wait: Wait | undefined): never {
    const seconds = wait?.seconds ?? 1
    const nowMs = performance.now()
    const waitMs = nowMs + seconds * 1000
    if (this.#reached.size >= REMEMBERED_MAX) this.#reached.clear()
    const endsAtMs = Math.min(waitMs, nowMs + REMEMBERED_MS)
    if (seconds > 0) this.#reached.set(placeOf(name, subject), { endsAtMs, waitMs })
    return refuseFor(name, seconds)
  }

  #keyOf(name: string, subject: string): string {
    return keyFrom(name, this.#secrets.mac('limits', subject))
  }

  /**
   * Under every known `SECRET_KEY`, the current one first: logins are remembered for longer than a key may
   * serve.
   */
  #networkKeys(account: string, network: string): [subjects: string[], hashes: string[]] {
    const keysOf = (name: string, text: string) =>
      this.#secrets.macs('limits', text).map((mac) => keyFrom(name, mac))
    return [keysOf('account', account), keysOf('network', `${account}@${network}`)]
  }
}

function keyFrom(name: string, mac: Buffer): string {
  return `${name}:${mac.subarray(0, 18).toString('base64url')}`
}

/** Each width of a network. */
const subjectsOf = (name: string, subject: string): readonly Width[] =>
  name.endsWith('_network') ? widthsOf(subject) : [{ subject, times: 1 }]

const placeOf = (name: string, subject: string): string => `${name}:${subject}`

interface Wait {
  seconds: number
}

function refuseFor(limit: string, seconds: number): never {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds))
  return refuse('too_many_requests', { retryAfterSeconds, limit })
}

import { type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** So many at once, flowing back evenly over the period. */
export interface Rate {
  burst: number
  perSeconds: number
}

/** The first `free` attempts wait for nothing; each further one waits twice as long as the one before. */
export interface Growth {
  free: number
  baseSeconds: number
  maxSeconds: number
  /** Without an attempt for so long, the count starts again. */
  forgetSeconds: number
}

/** Limits kept in the database, so that every process sees the same. Subjects are stored as keyed hashes only. */
export interface Limits {
  /** Takes one from `name` for `subject`. Refuses `too_many_requests` with `retryAfterSeconds`. */
  take(name: RateName, subject: string): Promise<void>
  /** Counts one attempt, before it is known whether it succeeds: parallel guesses can't slip through. Refuses as `take`. */
  strike(name: GrowthName, subject: string): Promise<void>
  /** The attempt succeeded: forgets the whole count, or only this one attempt of it. */
  forgive(name: GrowthName, subject: string, what: 'all' | 'one'): Promise<void>
  /** Remembers where `account` has logged in from; tells whether that was known before. */
  rememberNetwork(db: Queryable, account: string, network: string): Promise<boolean>
  isNetworkKnown(account: string, network: string): Promise<boolean>
  /** Deletes what has flowed back and what is forgotten. Returns how many rows. */
  sweep(): Promise<number>
}

export const rates = {
  register_network: { burst: 120, perSeconds: 3600 },
  register_address: { burst: 5, perSeconds: 3600 },
  login_network: { burst: 120, perSeconds: 600 },
  operator_network: { burst: 60, perSeconds: 600 },
  reset_network: { burst: 10, perSeconds: 3600 },
  reset_address: { burst: 3, perSeconds: 3600 },
  confirm_account: { burst: 3, perSeconds: 3600 },
  link_network: { burst: 30, perSeconds: 600 },
  passkey_network: { burst: 60, perSeconds: 600 },
  email_change_account: { burst: 5, perSeconds: 3600 },
  /** Addresses of a wallet, which looks for payments on a few unused ones only. */
  address_account: { burst: 30, perSeconds: 3600 },
  export_account: { burst: 5, perSeconds: 600 },
} as const satisfies Record<string, Rate>
export type RateName = keyof typeof rates

const HOUR = 3600
const DAY = 24 * HOUR
export const growths = {
  /** One account from one network. */
  login_pair: { free: 5, baseSeconds: 2, maxSeconds: 900, forgetSeconds: DAY },
  /** One account from all networks it never logged in from: stays below 100 guesses an hour (ASVS 2.2.1). */
  login_account: { free: 30, baseSeconds: 1, maxSeconds: 60, forgetSeconds: DAY },
  operator_pair: { free: 3, baseSeconds: 5, maxSeconds: 900, forgetSeconds: DAY },
  operator_account: { free: 20, baseSeconds: 2, maxSeconds: 60, forgetSeconds: DAY },
  /** The second step, counted by account: whoever gets there knows the password. */
  second_factor: { free: 5, baseSeconds: 5, maxSeconds: 900, forgetSeconds: DAY },
  /** Asking for the password again inside a session. */
  step_up: { free: 5, baseSeconds: 5, maxSeconds: 900, forgetSeconds: HOUR },
} as const satisfies Record<string, Growth>
export type GrowthName = keyof typeof growths

const NETWORK_KNOWN_DAYS = 180

const takeRate = statement(
  'limits_take_rate',
  `insert into rate_limits as r (key, free_at) values ($1, now() + make_interval(secs => $2))
   on conflict (key) do update set free_at = greatest(r.free_at, now()) + make_interval(secs => $2)
   where greatest(r.free_at, now()) + make_interval(secs => $2) <= now() + make_interval(secs => $3)
   returning key`,
)
const rateWait = statement(
  'limits_rate_wait',
  `select extract(epoch from free_at + make_interval(secs => $2) - make_interval(secs => $3) - now())::float8 as seconds
   from rate_limits where key = $1`,
)
const strikeOnce = statement(
  'limits_strike',
  `insert into attempt_strikes as a (key, strikes, struck_at, blocked_until) values ($1, 1, now(), now())
   on conflict (key) do update set
     strikes = case when a.struck_at < now() - make_interval(secs => $5) then 1 else a.strikes + 1 end,
     struck_at = now(),
     blocked_until = case
       when a.struck_at < now() - make_interval(secs => $5) or a.strikes + 1 < $2 then now()
       else now() + make_interval(secs => least($4, $3 * power(2, least(a.strikes + 1 - $2, 20))))
     end
   where a.blocked_until <= now()
   returning key`,
)
const strikeWait = statement(
  'limits_strike_wait',
  'select extract(epoch from blocked_until - now())::float8 as seconds from attempt_strikes where key = $1',
)
const forgiveAll = statement('limits_forgive_all', 'delete from attempt_strikes where key = $1')
const forgiveOne = statement(
  'limits_forgive_one',
  'update attempt_strikes set strikes = greatest(strikes - 1, 0), blocked_until = struck_at where key = $1',
)
const rememberKnown = statement(
  'limits_remember_network',
  `with before as (select 1 from known_networks where subject = $1 and network_hash = $2),
   written as (
     insert into known_networks (subject, network_hash) values ($1, $2)
     on conflict (subject, network_hash) do update set last_login_at = now()
   )
   select exists (select from before) as known`,
)
const findKnown = statement(
  'limits_find_network',
  'select exists (select from known_networks where subject = $1 and network_hash = $2) as known',
)
const sweepAll = statement(
  'limits_sweep',
  `with r as (delete from rate_limits where free_at < now() returning 1),
   a as (delete from attempt_strikes where struck_at < now() - interval '1 day' returning 1),
   n as (delete from known_networks where last_login_at < now() - make_interval(days => $1) returning 1)
   select (select count(*) from r) + (select count(*) from a) + (select count(*) from n) as swept`,
)

export interface LimitsNeeds {
  database: Queryable
  secrets: Secrets
  /** `RATE_LIMIT`: off counts nothing and refuses nothing. */
  isOn: boolean
}

export function createLimits({ database, secrets, isOn }: LimitsNeeds): Limits {
  const keyOf = (name: string, subject: string) =>
    `${name}:${secrets.mac('limits', subject).subarray(0, 18).toString('base64url')}`

  return {
    async take(name, subject) {
      if (!isOn) return
      const { burst, perSeconds } = rates[name]
      const values = [keyOf(name, subject), perSeconds / burst, perSeconds]
      if ((await database.query(takeRate, values)).length > 0) return
      refuseFor(await database.maybeOne<Wait>(rateWait, values))
    },
    async strike(name, subject) {
      if (!isOn) return
      const { free, baseSeconds, maxSeconds, forgetSeconds } = growths[name]
      const key = keyOf(name, subject)
      const struck = await database.query(strikeOnce, [key, free, baseSeconds, maxSeconds, forgetSeconds])
      if (struck.length > 0) return
      refuseFor(await database.maybeOne<Wait>(strikeWait, [key]))
    },
    async forgive(name, subject, what) {
      if (!isOn) return
      await database.query(what === 'all' ? forgiveAll : forgiveOne, [keyOf(name, subject)])
    },
    async rememberNetwork(db, account, network) {
      const row = await db.one<{ known: boolean }>(rememberKnown, [
        keyOf('account', account),
        keyOf('network', `${account}@${network}`),
      ])
      return row.known
    },
    async isNetworkKnown(account, network) {
      const row = await database.one<{ known: boolean }>(findKnown, [
        keyOf('account', account),
        keyOf('network', `${account}@${network}`),
      ])
      return row.known
    },
    async sweep() {
      const row = await database.one<{ swept: string }>(sweepAll, [NETWORK_KNOWN_DAYS])
      return Number(row.swept)
    },
  }
}

interface Wait {
  seconds: number
}

function refuseFor(wait: Wait | undefined): never {
  return refuse('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(wait?.seconds ?? 1)) })
}

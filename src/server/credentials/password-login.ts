import { type Database, fragment, type Queryable, sql } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { refuse } from '../refusal.ts'
import { type CodeAttempt, type CountedAttempt, countCode, forgiveCode } from './code-attempts.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import type { Holder } from './holder.ts'
import { placeOf } from './known-client.ts'
import { type Passwords, takeLine } from './passwords.ts'
import type { SecondFactors } from './second-factors.ts'
import type { Client } from './sessions.ts'

interface LoginNeeds {
  db: Database
  limits: Limits
  credentials: {
    readonly passwords: Passwords
    readonly secondFactors: SecondFactors
    readonly failed: FailedAttempts
  }
}

export interface PasswordLogin<Row extends { id: string; password_hash: string | null }, SignedIn> {
  readonly kind: Holder['kind']
  /** As typed, whether or not the account exists. */
  readonly account: string
  readonly password: string
  readonly code: string | undefined
  find(): Promise<Row | undefined>
  /** In the transaction that uses the code up. */
  start(tx: Queryable, row: Row, hasSecondFactor: boolean): Promise<SignedIn>
}

const LIMITS = {
  user: { network: 'login_network', pair: 'login_pair', account: 'login_account' },
  operator: { network: 'operator_network', pair: 'operator_pair', account: 'operator_account' },
} as const

/**
 * Failures delay further attempts by account and network; attempts elsewhere do not affect a known network,
 * so a flood cannot lock anybody out. Throws `unavailable` if the queue is full, `too_many_requests`,
 * `login_failed` (any wrong pair, in the same time), `second_factor_required` with `methods`,
 * `second_factor_wrong`.
 */
export async function logInByPassword<Row extends { id: string; password_hash: string | null }, SignedIn>(
  needs: LoginNeeds,
  login: PasswordLogin<Row, SignedIn>,
  client: Client,
): Promise<SignedIn> {
  if (!client.browser) needs.limits.recall(LIMITS[login.kind].network, client.network)
  return takeLine(login.kind, () => logIn(needs, login, client))
}

async function logIn<Row extends { id: string; password_hash: string | null }, SignedIn>(
  needs: LoginNeeds,
  login: PasswordLogin<Row, SignedIn>,
  client: Client,
): Promise<SignedIn> {
  const { limits, credentials } = needs
  const counted = LIMITS[login.kind]
  const { place, isKnown, isOwn } = await placeOf(limits, login.account, client)
  const pair = `${login.account}@${place}`
  // Strangers behind the same address cannot use up the logins of the account's own browser.
  await limits.take(isOwn ? 'login_browser' : counted.network, isOwn ? pair : client.network)
  client.payHashes?.(isOwn)
  await limits.strike(counted.pair, pair)
  if (!isKnown) await limits.strike(counted.account, login.account)
  const row = await login.find()
  const lane = login.kind === 'operator' ? 'operator' : 'login'
  if (!(await credentials.passwords.verify(row?.password_hash, login.password, lane)) || !row) {
    if (row) credentials.failed.note({ kind: login.kind, id: row.id }, 'password', client.network)
    return refuse('login_failed')
  }
  await limits.forgive(counted.pair, pair, 'all')
  if (!isKnown) await limits.forgive(counted.account, login.account, 'one')
  const holder: Holder = { kind: login.kind, id: row.id }
  const asked = await askSecondFactor(
    needs,
    { holder, account: login.account, network: client.network, browser: client.browser },
    login.code,
  )
  const renewed =
    row.password_hash && (await credentials.passwords.renewed(row.password_hash, login.password, lane))
  const signedIn = await needs.db.transaction(async (tx) => {
    await requireStanding(tx, holder, row.password_hash)
    if (!asked) await refuseWithoutCode(credentials.secondFactors, tx, holder)
    else
      await credentials.failed.noteWrongCode(holder, client.network, () =>
        credentials.secondFactors.check(tx, holder, asked.code),
      )
    if (renewed) await renewHash(tx, holder, row.password_hash, renewed)
    return login.start(tx, row, asked !== undefined)
  })
  if (asked) await forgiveCode(limits, holder, asked.counted)
  return signedIn
}

// Rules: RIGHT-9
/**
 * The hash may have changed during the slow check or come from a standby. A parallel password change waits
 * for this session and ends it. Throws `login_failed`.
 */
async function requireStanding(tx: Queryable, { kind, id }: Holder, hash: string | null): Promise<void> {
  const held = await tx.maybeOne<{ password_hash: string | null }>(
    kind === 'user'
      ? sql`select password_hash from users where id = ${id} and deleted_at is null for no key update`
      : sql`select password_hash from operators where id = ${id} and disabled_at is null for no key update`,
  )
  if (!held || held.password_hash !== hash) refuse('login_failed')
}

/** Throws `second_factor_required` if one was switched on meanwhile. */
async function refuseWithoutCode(factors: SecondFactors, tx: Queryable, holder: Holder): Promise<void> {
  const methods = await factors.methods(tx, holder)
  if (methods.length > 0) refuse('second_factor_required', { methods })
}

const tables = { user: fragment`users`, operator: fragment`operators` } as const

// Rules: RIGHT-14
/** Unless the password changed meanwhile. */
async function renewHash(
  tx: Queryable,
  { kind, id }: Holder,
  before: string | null,
  after: string,
): Promise<void> {
  await tx.query(
    sql`update ${tables[kind]} set password_hash = ${after} where id = ${id} and password_hash = ${before}`,
  )
}

/** Undefined if no second factor is on. */
async function askSecondFactor(
  { db, limits, credentials: { secondFactors } }: LoginNeeds,
  attempt: CodeAttempt,
  code: string | undefined,
): Promise<{ code: string; counted: CountedAttempt } | undefined> {
  const methods = await secondFactors.methods(db, attempt.holder)
  if (methods.length === 0) return undefined
  if (!code) return refuse('second_factor_required', { methods })
  return { code, counted: await countCode(limits, attempt, code) }
}

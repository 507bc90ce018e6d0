import type { Database, Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { refuse } from '../refusal.ts'
import { type Holder, holderKey } from './holder.ts'
import { verifyPassword } from './passwords.ts'
import type { SecondFactors } from './second-factors.ts'
import type { Client } from './sessions.ts'

interface LoginNeeds {
  db: Database
  limits: Limits
  secondFactors: SecondFactors
}

/** One attempt of either kind of people. */
export interface PasswordLogin<Row extends { id: string; password_hash: string | null }, SignedIn> {
  readonly kind: Holder['kind']
  /** What limits are counted by: the name that was typed, whether or not somebody has it. */
  readonly account: string
  readonly password: string
  readonly code: string | undefined
  find(): Promise<Row | undefined>
  /** Starts the session, in the transaction that uses the code up. */
  start(tx: Queryable, row: Row): Promise<SignedIn>
}

const LIMITS = {
  user: { network: 'login_network', pair: 'login_pair', account: 'login_account' },
  operator: { network: 'operator_network', pair: 'operator_pair', account: 'operator_account' },
} as const

/**
 * Logs in by password, and by a code where a second factor is on. Failed attempts wait longer and longer, by account and
 * network; from a network where this account has logged in before, strangers' attempts elsewhere cost nothing, so a
 * flood can't lock anybody out. Refuses `too_many_requests`, `login_failed` (any wrong pair, in the same time),
 * `second_factor_required` with `methods`, `second_factor_wrong`.
 */
export async function logInByPassword<Row extends { id: string; password_hash: string | null }, SignedIn>(
  needs: LoginNeeds,
  login: PasswordLogin<Row, SignedIn>,
  client: Client,
): Promise<SignedIn> {
  const { limits } = needs
  const counted = LIMITS[login.kind]
  const pair = `${login.account}@${client.network}`
  await limits.take(counted.network, client.network)
  await limits.strike(counted.pair, pair)
  const isKnown = await limits.isNetworkKnown(login.account, client.network)
  if (!isKnown) await limits.strike(counted.account, login.account)
  const row = await login.find()
  if (!(await verifyPassword(row?.password_hash, login.password)) || !row) return refuse('login_failed')
  await limits.forgive(counted.pair, pair, 'all')
  if (!isKnown) await limits.forgive(counted.account, login.account, 'one')
  const holder: Holder = { kind: login.kind, id: row.id }
  const code = await askSecondFactor(needs, holder, login.code)
  const signedIn = await needs.db.transaction(async (tx) => {
    if (code !== undefined) await needs.secondFactors.check(tx, holder, code)
    return login.start(tx, row)
  })
  if (code !== undefined) await limits.forgive('second_factor', holderKey(holder), 'all')
  return signedIn
}

/** The code to check, counted as an attempt; undefined where no second factor is on. */
async function askSecondFactor(
  needs: LoginNeeds,
  holder: Holder,
  code: string | undefined,
): Promise<string | undefined> {
  const state = await needs.secondFactors.state(needs.db, holder)
  if (!state.hasTotp && state.passkeys === 0) return undefined
  if (!code) {
    const methods = [
      ...(state.hasTotp ? ['totp'] : []),
      ...(state.passkeys > 0 ? ['passkey'] : []),
      ...(state.recoveryCodesLeft > 0 ? ['recovery_code'] : []),
    ]
    return refuse('second_factor_required', { methods })
  }
  await needs.limits.strike('second_factor', holderKey(holder))
  return code
}

import type { Role } from '../../shared/roles.ts'
import {
  type Client,
  checkNewPassword,
  hashPassword,
  logInByPassword,
  type NewSession,
  type PasskeyAnswer,
  type SessionKind,
  verifyPassword,
} from '../credentials/credentials.ts'
import { type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { audit, type OperatorNeeds } from './needs.ts'

export interface OperatorSignedIn {
  operatorId: string
  login: string
  role: Role
  session: NewSession
}

/** Whose session asks. */
export interface OperatorCaller {
  operatorId: string
  sessionId: string
  requestId: string | null
}

interface CredentialRow {
  id: string
  login: string
  role: Role
  password_hash: string | null
}

const byLogin = statement(
  'operators_by_login',
  `select id, login, role, password_hash from operators where login_key = lower($1) and disabled_at is null`,
)
const byId = statement(
  'operators_by_id',
  'select id, login, role, password_hash from operators where id = $1 and disabled_at is null',
)
const noteLogin = statement(
  'operators_note_login',
  'update operators set last_login_at = now() where id = $1',
)
const writePassword = statement(
  'operators_write_password',
  'update operators set password_hash = $2 where id = $1',
)

/** Refuses as `logInByPassword` does. */
export function logInOperator(
  needs: OperatorNeeds,
  input: { login: string; password: string; code?: string | undefined },
  client: Client,
  kind: SessionKind,
): Promise<OperatorSignedIn> {
  const login = {
    kind: 'operator',
    account: accountKey(input.login),
    password: input.password,
    code: input.code,
    find: () => needs.database.maybeOne<CredentialRow>(byLogin, [input.login.replaceAll('\0', '').trim()]),
    start: (tx: Queryable, row: CredentialRow) => startSession(needs, tx, row, client, kind),
  } as const
  return logInByPassword(needs, login, client)
}

async function startSession(
  needs: OperatorNeeds,
  tx: Queryable,
  row: CredentialRow,
  client: Client,
  kind: SessionKind,
): Promise<OperatorSignedIn> {
  await tx.query(noteLogin, [row.id])
  await needs.limits.rememberNetwork(tx, accountKey(row.login), client.network)
  const session = await needs.sessions.start(tx, row.id, client, kind)
  return { operatorId: row.id, login: row.login, role: row.role, session }
}

/** Refuses `passkey_refused`. No lockout applies: there is nothing to guess. */
export async function logInOperatorByPasskey(
  needs: OperatorNeeds,
  answer: PasskeyAnswer,
  client: Client,
): Promise<OperatorSignedIn> {
  await needs.limits.take('passkey_network', client.network)
  return needs.database.transaction(async (tx) => {
    const holder = await needs.passkeys.login(tx, 'operator', answer)
    const row = (await tx.maybeOne<CredentialRow>(byId, [holder.id])) ?? refuse('passkey_refused')
    return startSession(needs, tx, row, client, 'browser')
  })
}

/** Proves again who asks, for 15 minutes. Refuses `too_many_requests`, `password_wrong`, `second_factor_wrong`, `passkey_refused`. */
export async function stepUpOperator(
  needs: OperatorNeeds,
  caller: OperatorCaller,
  proof: { password: string } | { code: string } | { passkey: PasskeyAnswer },
): Promise<void> {
  const holder = { kind: 'operator', id: caller.operatorId } as const
  if ('password' in proof) {
    await requirePassword(needs, caller.operatorId, proof.password)
    return needs.sessions.confirm(needs.database, caller.sessionId)
  }
  if ('code' in proof) await needs.limits.strike('second_factor', `operator:${holder.id}`)
  await needs.database.transaction(async (tx) => {
    if ('code' in proof) await needs.secondFactors.check(tx, holder, proof.code)
    else if ((await needs.passkeys.login(tx, 'operator', proof.passkey)).id !== holder.id)
      refuse('passkey_refused')
    await needs.sessions.confirm(tx, caller.sessionId)
  })
  if ('code' in proof) await needs.limits.forgive('second_factor', `operator:${holder.id}`, 'all')
}

/**
 * Changes the own password and ends the other sessions. `login` must be the caller's own. Refuses `too_many_requests`,
 * `password_wrong`, `password_too_common`.
 */
export async function changeOperatorPassword(
  needs: OperatorNeeds,
  caller: OperatorCaller,
  input: { login: string; oldPassword: string; newPassword: string },
): Promise<void> {
  const row = await requirePassword(needs, caller.operatorId, input.oldPassword)
  if (row.login.toLowerCase() !== input.login.trim().toLowerCase()) refuse('password_wrong')
  checkNewPassword(input.newPassword, [row.login])
  const passwordHash = await hashPassword(input.newPassword)
  await needs.database.transaction(async (tx) => {
    await tx.query(writePassword, [row.id, passwordHash])
    await needs.sessions.endOthers(tx, row.id, caller.sessionId)
    await audit(
      tx,
      { operatorId: row.id, login: row.login, requestId: caller.requestId },
      'operator.password',
      row.id,
    )
  })
}

async function requirePassword(
  needs: OperatorNeeds,
  operatorId: string,
  password: string,
): Promise<CredentialRow> {
  const subject = `operator:${operatorId}`
  await needs.limits.strike('step_up', subject)
  const row = (await needs.database.maybeOne<CredentialRow>(byId, [operatorId])) ?? refuse('session_ended')
  if (!(await verifyPassword(row.password_hash, password))) refuse('password_wrong')
  await needs.limits.forgive('step_up', subject, 'all')
  return row
}

function accountKey(login: string): string {
  return `operator:${login.trim().toLowerCase()}`
}

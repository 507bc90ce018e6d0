import { deviceName } from '../../shared/device-name.ts'
import type { Role } from '../../shared/roles.ts'
import {
  type Client,
  type GivenProof,
  logInByPassword,
  type NewSession,
  type Origin,
  type PasskeyAnswer,
  type Proof,
  rememberClient,
  type SessionKind,
} from '../credentials/credentials.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { OperatorParts } from './parts.ts'
import { tellOperator } from './telling.ts'

export interface OperatorSignedIn {
  operatorId: string
  login: string
  role: Role
  session: NewSession
}

export interface CredentialRow {
  id: string
  login: string
  role: Role
  password_hash: string | null
}

const columns = fragment`id, login, role, password_hash`

/** Throws `session_ended` if the operator is disabled. */
export async function readCredentials(db: Queryable, operatorId: string): Promise<CredentialRow> {
  return (await findCredentials(db, operatorId)) ?? refuse('session_ended')
}

/** The limits count `attempt`; a password is checked against the hash. */
export function attemptOf(
  { id, login, password_hash: passwordHash }: CredentialRow,
  { network, browser, session }: Origin,
) {
  const holder = { kind: 'operator', id } as const
  return { attempt: { holder, account: accountKey(login), network, browser, session }, passwordHash }
}

// Rules: RIGHT-39
/** Throws as `Proofs.prepareWhole`. */
export function proveWholly(
  { credentials }: Pick<OperatorParts, 'credentials'>,
  row: CredentialRow,
  given: GivenProof | undefined,
  origin: Origin,
): Promise<Proof> {
  const { attempt, passwordHash } = attemptOf(row, origin)
  return credentials.proofs.prepareWhole(attempt, passwordHash, given)
}

function findCredentials(db: Queryable, operatorId: string): Promise<CredentialRow | undefined> {
  return db.maybeOne<CredentialRow>(
    sql`select ${columns} from operators where id = ${operatorId} and disabled_at is null`,
  )
}

export function logInOperator(
  parts: OperatorParts,
  input: { login: string; password: string; code?: string | undefined },
  client: Client,
  kind: SessionKind,
): Promise<OperatorSignedIn> {
  const login = {
    kind: 'operator',
    account: accountKey(input.login),
    password: input.password,
    code: input.code,
    find: () => {
      const typed = input.login.replaceAll('\0', '').trim()
      return parts.db.maybeOne<CredentialRow>(
        sql`select ${columns} from operators where login_key = lower(${typed}) and disabled_at is null`,
      )
    },
    start: (tx: Queryable, row: CredentialRow, hasSecondFactor: boolean) =>
      startSession(parts, tx, row, { client, kind, hasSecondFactor }),
  } as const
  return logInByPassword(parts, login, client)
}

async function startSession(
  parts: OperatorParts,
  tx: Queryable,
  row: CredentialRow,
  begun: { client: Client; kind: SessionKind; hasSecondFactor: boolean },
): Promise<OperatorSignedIn> {
  const { client } = begun
  // Until the session exists: a disabled operator gets none, and a parallel change of access finds and ends
  // it.
  const isIn = await tx.query(
    sql`update operators set last_login_at = now() where id = ${row.id} and disabled_at is null returning id`,
  )
  if (isIn.length === 0) refuse('login_failed')
  if (!(await rememberClient(parts.limits, tx, accountKey(row.login), client))) {
    const device = deviceName(client.userAgent) ?? ''
    const at = new Date().toISOString()
    await tellOperator(parts, tx, row.id, (name) => ({
      kind: 'new_sign_in',
      name,
      device,
      network: client.network,
      at,
    }))
  }
  const session = await parts.sessions.start(tx, row.id, begun)
  return { operatorId: row.id, login: row.login, role: row.role, session }
}

export async function logInOperatorByPasskey(
  parts: OperatorParts,
  answer: PasskeyAnswer,
  client: Client,
): Promise<OperatorSignedIn> {
  await parts.limits.take('passkey_network', client.network)
  return parts.db.transaction(async (tx) => {
    const holder = await parts.credentials.passkeys.login(tx, 'operator', answer)
    const row = (await findCredentials(tx, holder.id)) ?? refuse('passkey_refused')
    return startSession(parts, tx, row, { client, kind: 'browser', hasSecondFactor: true })
  })
}

/** For limits and known networks of an operator. */
export function accountKey(login: string): string {
  return `operator:${login.trim().toLowerCase()}`
}

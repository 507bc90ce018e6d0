import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type Holder, holderColumn, holderKey } from './holder.ts'
import type { Labels } from './second-factors.ts'

export interface StoredPasskey {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

/** WebAuthn JSON; the verification checks its shape. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>

/** Takes 28 MB. */
const webauthn = () => import('@simplewebauthn/server')

const CHALLENGE_SECONDS = 300
const PASSKEYS_MAX = 20
/** EdDSA, ES256, RS256. The library's default adds one that is experimental in Node.js. */
const ALGORITHMS = [-8, -7, -257]

interface KeyRow {
  id: string
  credential_id: string
  name: string
  transports: string[]
  created_at: Date
  last_used_at: Date | null
}

interface LockedKey {
  credential_id: string
  user_id: string | null
  operator_id: string | null
  public_key: Buffer
  counter: string
  transports: string[]
}

export interface PasskeysNeeds {
  /** Passkeys are bound to its origin and host name: a look-alike site gets none. */
  readonly publicUrl: string
}

/** With user verification, so a passkey alone logs in. */
export class Passkeys {
  readonly #origin: string
  readonly #rpId: string

  constructor({ publicUrl }: PasskeysNeeds) {
    this.#origin = new URL(publicUrl).origin
    this.#rpId = new URL(publicUrl).hostname
  }

  async registrationOptions(
    db: Queryable,
    holder: Holder,
    { issuer, label }: Labels,
  ): Promise<Record<string, unknown>> {
    const known = await readKeys(db, holder)
    const options = await (await webauthn()).generateRegistrationOptions({
      rpName: issuer,
      rpID: this.#rpId,
      userName: label,
      userID: new TextEncoder().encode(holderKey(holder)),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: known.map((key) => ({ id: key.credential_id, transports: key.transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      timeout: CHALLENGE_SECONDS * 1000,
    })
    await keepChallenge(db, options.challenge, `${holder.kind}_registration`, holder)
    return { ...options }
  }

  /** Throws `passkey_refused`, `conflict` (at most 20). */
  async register(tx: Queryable, holder: Holder, answer: PasskeyAnswer, name: string): Promise<StoredPasskey> {
    const expectedChallenge = await takeChallenge(tx, answer, `${holder.kind}_registration`, holder)
    const result = await verified(async () =>
      (await webauthn()).verifyRegistrationResponse({
        response: answer as unknown as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    )
    if (!result.verified) return refuse('passkey_refused')
    if ((await readKeys(tx, holder)).length >= PASSKEYS_MAX) refuse('conflict')
    const { credential } = result.registrationInfo
    const row = await tx.maybeOne<KeyRow>(
      sql`insert into passkeys (credential_id, ${holderColumn(holder)}, name, public_key, counter, transports)
          values (${credential.id}, ${holder.id}, ${name}, ${Buffer.from(credential.publicKey)}, ${credential.counter},
                  ${credential.transports ?? []})
          on conflict (credential_id) do nothing
          returning id, name, created_at, last_used_at`,
    )
    return row ? storedFromRow(row) : refuse('passkey_refused')
  }

  /** Without credentials, which would reveal the accounts that exist. */
  async loginOptions(db: Queryable, kind: Holder['kind']): Promise<Record<string, unknown>> {
    const options = await (await webauthn()).generateAuthenticationOptions({
      rpID: this.#rpId,
      userVerification: 'required',
      timeout: CHALLENGE_SECONDS * 1000,
    })
    await keepChallenge(db, options.challenge, `${kind}_login`)
    return { ...options }
  }

  /** Uses the challenge up. */
  async login(tx: Queryable, kind: Holder['kind'], answer: PasskeyAnswer): Promise<Holder> {
    const expectedChallenge = await takeChallenge(tx, answer, `${kind}_login`)
    const id = typeof answer['id'] === 'string' ? answer['id'] : ''
    const row = await tx.maybeOne<LockedKey>(
      sql`select credential_id, user_id, operator_id, public_key, counter, transports from passkeys
           where credential_id = ${id} for update`,
    )
    const holderId = kind === 'user' ? row?.user_id : row?.operator_id
    if (!row || !holderId) return refuse('passkey_refused')
    const result = await verified(async () =>
      (await webauthn()).verifyAuthenticationResponse({
        response: answer as unknown as AuthenticationResponseJSON,
        expectedChallenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        credential: {
          id: row.credential_id,
          publicKey: new Uint8Array(row.public_key),
          counter: Number(row.counter),
          transports: row.transports,
        },
        requireUserVerification: true,
      }),
    )
    if (!result.verified) return refuse('passkey_refused')
    await tx.query(
      sql`update passkeys set counter = ${result.authenticationInfo.newCounter}, last_used_at = now()
           where credential_id = ${row.credential_id}`,
    )
    return { kind, id: holderId }
  }

  async list(db: Queryable, holder: Holder): Promise<StoredPasskey[]> {
    return (await readKeys(db, holder)).map(storedFromRow)
  }

  async remove(tx: Queryable, holder: Holder, id: string): Promise<boolean> {
    const removed = await tx.query(
      sql`delete from passkeys where ${holderColumn(holder)} = ${holder.id} and id = ${id} returning id`,
    )
    return removed.length > 0
  }
}

function readKeys(db: Queryable, holder: Holder): Promise<KeyRow[]> {
  return db.query<KeyRow>(
    sql`select id, credential_id, name, transports, created_at, last_used_at from passkeys
         where ${holderColumn(holder)} = ${holder.id} order by created_at, id`,
  )
}

/** Per person and purpose: one for each browser tab. */
const CHALLENGES_KEPT = 5

async function keepChallenge(
  db: Queryable,
  challenge: string,
  purpose: string,
  holder?: Holder,
): Promise<void> {
  const userId = holder?.kind === 'user' ? holder.id : null
  const operatorId = holder?.kind === 'operator' ? holder.id : null
  if (holder)
    await db.query(
      sql`delete from passkey_challenges where challenge in (
            select challenge from passkey_challenges
             where ${holderColumn(holder)} = ${holder.id} and purpose = ${purpose}
             order by expires_at desc offset ${CHALLENGES_KEPT - 1})`,
    )
  await db.query(
    sql`insert into passkey_challenges (challenge, purpose, user_id, operator_id, expires_at)
        values (${challenge}, ${purpose}, ${userId}, ${operatorId}, now() + make_interval(secs => ${CHALLENGE_SECONDS}))`,
  )
}

/** Uses the challenge up. */
async function takeChallenge(
  tx: Queryable,
  answer: PasskeyAnswer,
  purpose: string,
  holder?: Holder,
): Promise<string> {
  const challenge = challengeOf(answer)
  const row = await tx.maybeOne<{ user_id: string | null; operator_id: string | null }>(
    sql`delete from passkey_challenges where challenge = ${challenge} and purpose = ${purpose} and expires_at > now()
        returning user_id, operator_id`,
  )
  const isOwn = !holder || (holder.kind === 'user' ? row?.user_id : row?.operator_id) === holder.id
  if (!row || !isOwn) refuse('passkey_refused')
  return challenge
}

function storedFromRow(row: KeyRow): StoredPasskey {
  return { id: row.id, name: row.name, createdAt: row.created_at, lastUsedAt: row.last_used_at }
}

/** Maps every verification error of the library to one error. */
async function verified<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch {
    return refuse('passkey_refused')
  }
}

/** The signature's verification follows. */
function challengeOf(answer: PasskeyAnswer): string {
  try {
    const response = answer['response'] as { clientDataJSON: string }
    const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')) as {
      challenge: unknown
    }
    return typeof data.challenge === 'string' ? data.challenge : refuse('passkey_refused')
  } catch {
    return refuse('passkey_refused')
  }
}

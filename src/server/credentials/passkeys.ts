import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Queryable, statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { type Holder, holderKey, holderStatement } from './holder.ts'

export interface StoredPasskey {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

/** What a browser answers; its shape is the WebAuthn JSON serialisation and is checked by the verification. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>

/** Passkeys (WebAuthn). They prove possession and the person (user verification is required), so they log in alone. */
export interface Passkeys {
  registrationOptions(
    db: Queryable,
    holder: Holder,
    labels: { issuer: string; label: string },
  ): Promise<Record<string, unknown>>
  /** Stores a new passkey. Refuses `passkey_refused`, `conflict` (20 are enough). */
  register(tx: Queryable, holder: Holder, answer: PasskeyAnswer, name: string): Promise<StoredPasskey>
  /** Says nothing about who exists: the browser offers the passkeys that it has for this site. */
  loginOptions(db: Queryable, kind: Holder['kind']): Promise<Record<string, unknown>>
  /** Who has answered. Each challenge serves once. Refuses `passkey_refused`. */
  login(tx: Queryable, kind: Holder['kind'], answer: PasskeyAnswer): Promise<Holder>
  list(db: Queryable, holder: Holder): Promise<StoredPasskey[]>
  /** True where there was one. */
  remove(tx: Queryable, holder: Holder, id: string): Promise<boolean>
  sweep(db: Queryable): Promise<number>
}

/** Loaded by the first passkey: it takes 28 MB, and most sites that idle have none to check. */
const webauthn = () => import('@simplewebauthn/server')

const CHALLENGE_SECONDS = 300
const PASSKEYS_MAX = 20
/** EdDSA, ES256, RS256: what authenticators have; the library's default adds one that Node still calls experimental. */
const ALGORITHMS = [-8, -7, -257]

const insertChallenge = statement(
  'passkeys_challenge',
  `insert into passkey_challenges (challenge, purpose, user_id, operator_id, expires_at)
   values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
)
const takeChallenge = statement(
  'passkeys_take_challenge',
  `delete from passkey_challenges where challenge = $1 and purpose = $2 and expires_at > now()
   returning user_id, operator_id`,
)
const listKeys = holderStatement(
  'passkeys_list',
  `select id, credential_id, name, transports, created_at, last_used_at from passkeys where :holder = $1
   order by created_at, id`,
)
const insertKey = holderStatement(
  'passkeys_add',
  `insert into passkeys (credential_id, :holder, name, public_key, counter, transports)
   values ($1, $2, $3, $4, $5, $6) on conflict (credential_id) do nothing
   returning id, name, created_at, last_used_at`,
)
const lockKey = statement(
  'passkeys_lock',
  `select credential_id, user_id, operator_id, public_key, counter, transports from passkeys
   where credential_id = $1 for update`,
)
const noteUse = statement(
  'passkeys_note_use',
  'update passkeys set counter = $2, last_used_at = now() where credential_id = $1',
)
const removeKey = holderStatement(
  'passkeys_remove',
  'delete from passkeys where :holder = $1 and id = $2 returning id',
)
const sweepChallenges = statement(
  'passkeys_sweep',
  'delete from passkey_challenges where expires_at < now() returning 1 as gone',
)

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

/** `publicUrl` gives the origin and the name that passkeys are bound to: a look-alike site gets none. */
export function createPasskeys({ publicUrl }: { publicUrl: string }): Passkeys {
  const origin = new URL(publicUrl).origin
  const rpID = new URL(publicUrl).hostname

  const keep = async (db: Queryable, challenge: string, purpose: string, holder?: Holder) => {
    const userId = holder?.kind === 'user' ? holder.id : null
    const operatorId = holder?.kind === 'operator' ? holder.id : null
    await db.query(insertChallenge, [challenge, purpose, userId, operatorId, CHALLENGE_SECONDS])
  }

  const takeAnswered = async (tx: Queryable, answer: PasskeyAnswer, purpose: string, holder?: Holder) => {
    const challenge = challengeOf(answer)
    const row = await tx.maybeOne<{ user_id: string | null; operator_id: string | null }>(takeChallenge, [
      challenge,
      purpose,
    ])
    const isOwn = !holder || (holder.kind === 'user' ? row?.user_id : row?.operator_id) === holder.id
    if (!row || !isOwn) refuse('passkey_refused')
    return challenge
  }

  return {
    async registrationOptions(db, holder, { issuer, label }) {
      const known = await db.query<KeyRow>(listKeys[holder.kind], [holder.id])
      const options = await (await webauthn()).generateRegistrationOptions({
        rpName: issuer,
        rpID,
        userName: label,
        userID: new TextEncoder().encode(holderKey(holder)),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: known.map((key) => ({ id: key.credential_id, transports: key.transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        timeout: CHALLENGE_SECONDS * 1000,
      })
      await keep(db, options.challenge, `${holder.kind}_registration`, holder)
      return { ...options }
    },
    async register(tx, holder, answer, name) {
      const expectedChallenge = await takeAnswered(tx, answer, `${holder.kind}_registration`, holder)
      const result = await verified(async () =>
        (await webauthn()).verifyRegistrationResponse({
          response: answer as unknown as RegistrationResponseJSON,
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      )
      if (!result.verified) return refuse('passkey_refused')
      if ((await tx.query(listKeys[holder.kind], [holder.id])).length >= PASSKEYS_MAX) refuse('conflict')
      const { credential } = result.registrationInfo
      const row = await tx.maybeOne<KeyRow>(insertKey[holder.kind], [
        credential.id,
        holder.id,
        name,
        Buffer.from(credential.publicKey),
        credential.counter,
        credential.transports ?? [],
      ])
      return row ? storedFromRow(row) : refuse('passkey_refused')
    },
    async loginOptions(db, kind) {
      const options = await (await webauthn()).generateAuthenticationOptions({
        rpID,
        userVerification: 'required',
        timeout: CHALLENGE_SECONDS * 1000,
      })
      await keep(db, options.challenge, `${kind}_login`)
      return { ...options }
    },
    async login(tx, kind, answer) {
      const expectedChallenge = await takeAnswered(tx, answer, `${kind}_login`)
      const id = typeof answer['id'] === 'string' ? answer['id'] : ''
      const row = await tx.maybeOne<LockedKey>(lockKey, [id])
      const holderId = kind === 'user' ? row?.user_id : row?.operator_id
      if (!row || !holderId) return refuse('passkey_refused')
      const result = await verified(async () =>
        (await webauthn()).verifyAuthenticationResponse({
          response: answer as unknown as AuthenticationResponseJSON,
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
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
      await tx.query(noteUse, [row.credential_id, result.authenticationInfo.newCounter])
      return { kind, id: holderId }
    },
    async list(db, holder) {
      return (await db.query<KeyRow>(listKeys[holder.kind], [holder.id])).map(storedFromRow)
    },
    async remove(tx, holder, id) {
      return (await tx.query(removeKey[holder.kind], [holder.id, id])).length > 0
    },
    async sweep(db) {
      return (await db.query(sweepChallenges)).length
    },
  }
}

function storedFromRow(row: KeyRow): StoredPasskey {
  return { id: row.id, name: row.name, createdAt: row.created_at, lastUsedAt: row.last_used_at }
}

/** The library throws on every answer that is not right; to the caller all of them are one refusal. */
async function verified<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch {
    return refuse('passkey_refused')
  }
}

/** The challenge that the answer says it answers: only looked up here, then verified with the signature. */
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

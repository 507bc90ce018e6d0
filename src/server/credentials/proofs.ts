import { z } from 'zod'
import type { Database, Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { refuse } from '../refusal.ts'
import type { BuyerActor, OperatorActor } from '../unit-of-work/unit-of-work.ts'
import { type CodeAttempt, countCode, countedAttempt, forgiveCode } from './code-attempts.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import { type Holder, holderKey } from './holder.ts'
import type { PasskeyAnswer, Passkeys } from './passkeys.ts'
import type { Passwords } from './passwords.ts'
import type { SecondFactors } from './second-factors.ts'
import type { Sessions } from './sessions.ts'

/** One of three, or the password with one of the others. */
export interface GivenProof {
  readonly password?: string | undefined
  readonly code?: string | undefined
  readonly passkey?: PasskeyAnswer | undefined
}

/** As the action receives it. The password is already checked, which takes long. */
export const proofInput = z.union([
  z.object({ isPasswordRight: z.literal(true) }),
  z.object({ code: z.string(), counted: countedAttempt }),
  z.object({ passkey: z.record(z.string(), z.unknown()) }),
])
export type Proof = z.output<typeof proofInput>

export interface ProofsNeeds {
  readonly db: Database
  readonly limits: Limits
  readonly passwords: Passwords
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly failed: FailedAttempts
}

export class Proofs {
  readonly #db: Database
  readonly #limits: Limits
  readonly #passwords: Passwords
  readonly #secondFactors: SecondFactors
  readonly #passkeys: Passkeys
  readonly #failed: FailedAttempts

  constructor({ db, limits, passwords, secondFactors, passkeys, failed }: ProofsNeeds) {
    this.#db = db
    this.#limits = limits
    this.#passwords = passwords
    this.#secondFactors = secondFactors
    this.#passkeys = passkeys
    this.#failed = failed
  }

  // Rules: RIGHT-3
  /**
   * Before the action's transaction, so that its rejection does not undo the count. Throws
   * `second_factor_required` with `methods` (a password alone is no proof), `too_many_requests`,
   * `password_wrong`.
   */
  async prepare(attempt: CodeAttempt, passwordHash: string | null, given: GivenProof): Promise<Proof> {
    const { holder } = attempt
    if (given.password !== undefined) {
      const methods = await this.#secondFactors.methods(this.#db, holder)
      if (methods.length > 0) refuse('second_factor_required', { methods })
      await this.#verify(attempt, passwordHash, given.password)
      return { isPasswordRight: true }
    }
    if (given.code === undefined) return { passkey: given.passkey ?? {} }
    return { code: given.code, counted: await countCode(this.#limits, attempt, given.code) }
  }

  // Rules: RIGHT-39
  /**
   * Changes of how people log in need the password, and a second factor if one is on. Throws
   * `step_up_required` with `proof` (accepted methods), `too_many_requests`, `password_wrong`.
   */
  async prepareWhole(
    attempt: CodeAttempt,
    passwordHash: string | null,
    given: GivenProof | undefined,
  ): Promise<Proof> {
    const methods = await this.#secondFactors.methods(this.#db, attempt.holder)
    const hasFactor = given?.code !== undefined || given?.passkey !== undefined
    if (given?.password === undefined || (methods.length > 0 && !hasFactor))
      return refuse('step_up_required', { proof: ['password', ...methods] })
    await this.#verify(attempt, passwordHash, given.password)
    if (methods.length === 0) return { isPasswordRight: true }
    return this.prepare(attempt, passwordHash, { code: given.code, passkey: given.passkey })
  }

  /** True if the proof was a second factor. */
  async take(tx: Queryable, holder: Holder, proof: Proof): Promise<boolean> {
    if ('passkey' in proof) {
      if ((await this.#passkeys.login(tx, holder.kind, proof.passkey)).id !== holder.id)
        refuse('passkey_refused')
    } else if ('code' in proof) {
      const { code, counted } = proof
      await this.#failed.noteWrongCode(holder, counted.network, () =>
        this.#secondFactors.check(tx, holder, code),
      )
      await forgiveCode(this.#limits, holder, counted, tx)
    }
    return !('isPasswordRight' in proof)
  }

  /** By session: failures in a stolen session do not delay the owner in another. */
  async #verify(
    { holder, network, session }: CodeAttempt,
    passwordHash: string | null,
    password: string,
  ): Promise<void> {
    const counted = session ?? holderKey(holder)
    await this.#limits.strike('step_up', counted)
    const lane = holder.kind === 'operator' ? 'operator' : 'account'
    const check = this.#passwords.verify(passwordHash, password, lane)
    // The full queue rejected the password: no attempt.
    const isRight = await check.catch(async (error: unknown) => {
      await this.#limits.forgive('step_up', counted, 'one')
      throw error
    })
    if (!isRight) {
      this.#failed.note(holder, 'step_up', network)
      refuse('password_wrong')
    }
    await this.#limits.forgive('step_up', counted, 'all')
  }
}

// Rules: RIGHT-8, RIGHT-39
/**
 * Stores the proof as the session's step-up; a browser gets a new session token. An API key's proof is only
 * checked. Throws as `Proofs.take`, and `session_ended` if another call replaced the token first.
 */
export async function takeProof(
  { proofs, sessions }: { readonly proofs: Proofs; readonly sessions: Sessions<unknown> },
  tx: Queryable,
  actor: OperatorActor | BuyerActor,
  proof: Proof,
): Promise<void> {
  const bySecondFactor = await proofs.take(tx, holderOf(actor), proof)
  const isKey = actor.kind === 'operator' && actor.scopes !== undefined
  const { sessionId, cookie } = actor
  if (sessionId && !isKey) await sessions.confirm(tx, { id: sessionId, cookie }, bySecondFactor)
}

function holderOf(actor: OperatorActor | BuyerActor): Holder {
  return actor.kind === 'operator'
    ? { kind: 'operator', id: actor.operatorId }
    : { kind: 'user', id: actor.userId }
}

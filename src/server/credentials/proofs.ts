import { z } from 'zod'
import type { Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import { refuse } from '../refusal.ts'
import { type Holder, holderKey } from './holder.ts'
import type { PasskeyAnswer, Passkeys } from './passkeys.ts'
import { verifyPassword } from './passwords.ts'
import type { SecondFactors } from './second-factors.ts'

/** What somebody signed in gives to prove again who they are: one of the three. */
export interface GivenProof {
  readonly password?: string | undefined
  readonly code?: string | undefined
  readonly passkey?: PasskeyAnswer | undefined
}

/** A proof on its way into the act that takes it: a password is checked already, because that takes long. */
export const proofInput = z.union([
  z.object({ isPasswordRight: z.literal(true) }),
  z.object({ code: z.string() }),
  z.object({ passkey: z.record(z.string(), z.unknown()) }),
])
export type Proof = z.output<typeof proofInput>

export interface ProofsNeeds {
  readonly limits: Limits
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
}

/** How somebody who is signed in proves again who they are. */
export class Proofs {
  readonly #limits: Limits
  readonly #secondFactors: SecondFactors
  readonly #passkeys: Passkeys

  constructor({ limits, secondFactors, passkeys }: ProofsNeeds) {
    this.#limits = limits
    this.#secondFactors = secondFactors
    this.#passkeys = passkeys
  }

  /** Checks a password against the stored hash; failed attempts wait longer and longer. Refuses `too_many_requests`, `password_wrong`. */
  async checkPassword(holder: Holder, stored: string | null, password: string): Promise<void> {
    await this.#limits.strike('step_up', holderKey(holder))
    if (!(await verifyPassword(stored, password))) refuse('password_wrong')
    await this.#limits.forgive('step_up', holderKey(holder), 'all')
  }

  /**
   * Does what must outlive a refusal before the transaction of the act: checks the password, counts the attempt at a code. `readStored`
   * reads the hash of the password. Refuses `too_many_requests`, `password_wrong`.
   */
  async prepare(holder: Holder, given: GivenProof, readStored: () => Promise<string | null>): Promise<Proof> {
    if (given.password !== undefined) {
      await this.checkPassword(holder, await readStored(), given.password)
      return { isPasswordRight: true }
    }
    if (given.code === undefined) return { passkey: given.passkey ?? {} }
    await this.#limits.strike('second_factor', holderKey(holder))
    return { code: given.code }
  }

  /** Takes a prepared proof. Refuses `second_factor_wrong`, `passkey_refused`. */
  async take(tx: Queryable, holder: Holder, proof: Proof): Promise<void> {
    if ('passkey' in proof) {
      if ((await this.#passkeys.login(tx, holder.kind, proof.passkey)).id !== holder.id)
        refuse('passkey_refused')
    } else if ('code' in proof) {
      await this.#secondFactors.check(tx, holder, proof.code)
      await this.#limits.forgive('second_factor', holderKey(holder), 'all', tx)
    }
  }
}

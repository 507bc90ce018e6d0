import type { Database, Queryable } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Holder } from './holder.ts'
import type { PasskeyAnswer, Passkeys, StoredPasskey } from './passkeys.ts'
import type { Labels, SecondFactorState, SecondFactors } from './second-factors.ts'

export type FactorChange = 'totp_on' | 'totp_off' | 'passkey_added' | 'passkey_removed' | 'recovery_codes_new'

export interface FactorsNeeds {
  readonly db: Database
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
}

/** What a person may do with their own second factors, in the transaction of the action that asks for it. */
export class Factors {
  readonly #db: Database
  readonly #secondFactors: SecondFactors
  readonly #passkeys: Passkeys

  constructor({ db, secondFactors, passkeys }: FactorsNeeds) {
    this.#db = db
    this.#secondFactors = secondFactors
    this.#passkeys = passkeys
  }

  async state(holder: Holder): Promise<SecondFactorState & { passkeyList: StoredPasskey[] }> {
    const [state, passkeyList] = await Promise.all([
      this.#secondFactors.state(this.#db, holder),
      this.#passkeys.list(this.#db, holder),
    ])
    return { ...state, passkeyList }
  }

  /** Whether any second factor is on. */
  async isOn(tx: Queryable, holder: Holder): Promise<boolean> {
    return (await this.#secondFactors.methods(tx, holder)).length > 0
  }

  /** Refuses `conflict` where an app is on already. */
  beginTotp(tx: Queryable, holder: Holder, labels: Labels): Promise<{ secret: string; uri: string }> {
    return this.#secondFactors.beginTotp(tx, holder, labels)
  }

  /** Returns recovery codes where there are none yet. Refuses `second_factor_wrong`. */
  async confirmTotp(tx: Queryable, holder: Holder, code: string): Promise<string[]> {
    await this.#secondFactors.removeIdleCodes(tx, holder)
    await this.#secondFactors.confirmTotp(tx, holder, code)
    return this.#codesIfNone(tx, holder)
  }

  /** Ends what was begun and is not on yet. */
  removeBegun(tx: Queryable, holder: Holder): Promise<void> {
    return this.#secondFactors.removeBegun(tx, holder)
  }

  async removeTotp(tx: Queryable, holder: Holder): Promise<void> {
    await this.#secondFactors.removeTotp(tx, holder)
    await this.#secondFactors.removeIdleCodes(tx, holder)
  }

  /** Refuses `conflict` where no second factor is on. */
  async newRecoveryCodes(tx: Queryable, holder: Holder): Promise<string[]> {
    const state = await this.#secondFactors.state(tx, holder)
    if (!state.hasTotp && state.passkeys === 0) refuse('conflict')
    return this.#secondFactors.newRecoveryCodes(tx, holder)
  }

  passkeyOptions(tx: Queryable, holder: Holder, labels: Labels): Promise<Record<string, unknown>> {
    return this.#passkeys.registrationOptions(tx, holder, labels)
  }

  /** Returns recovery codes where there are none yet. Refuses `passkey_refused`, `conflict` (20 are enough). */
  async addPasskey(
    tx: Queryable,
    holder: Holder,
    answer: PasskeyAnswer,
    name: string,
  ): Promise<{ passkey: StoredPasskey; recoveryCodes: string[] }> {
    await this.#secondFactors.removeIdleCodes(tx, holder)
    const passkey = await this.#passkeys.register(tx, holder, answer, name)
    return { passkey, recoveryCodes: await this.#codesIfNone(tx, holder) }
  }

  /** Refuses `not_found`. */
  async removePasskey(tx: Queryable, holder: Holder, id: string): Promise<void> {
    if (!(await this.#passkeys.remove(tx, holder, id))) refuse('not_found')
    await this.#secondFactors.removeIdleCodes(tx, holder)
  }

  async #codesIfNone(tx: Queryable, holder: Holder): Promise<string[]> {
    const { recoveryCodesLeft } = await this.#secondFactors.state(tx, holder)
    return recoveryCodesLeft > 0 ? [] : this.#secondFactors.newRecoveryCodes(tx, holder)
  }
}

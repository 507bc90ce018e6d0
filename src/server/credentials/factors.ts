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

  async isOn(tx: Queryable, holder: Holder): Promise<boolean> {
    return (await this.#secondFactors.methods(tx, holder)).length > 0
  }

  /** Throws `conflict` if an app is already on. */
  beginTotp(tx: Queryable, holder: Holder, labels: Labels): Promise<{ secret: string; uri: string }> {
    return this.#secondFactors.beginTotp(tx, holder, labels)
  }

  /** Returns recovery codes if there are none. */
  async confirmTotp(tx: Queryable, holder: Holder, code: string): Promise<string[]> {
    await this.#secondFactors.removeIdleCodes(tx, holder)
    await this.#secondFactors.confirmTotp(tx, holder, code)
    return this.#codesIfNone(tx, holder)
  }

  removeBegun(tx: Queryable, holder: Holder): Promise<void> {
    return this.#secondFactors.removeBegun(tx, holder)
  }

  async removeTotp(tx: Queryable, holder: Holder): Promise<void> {
    await this.#secondFactors.removeTotp(tx, holder)
    await this.#secondFactors.removeIdleCodes(tx, holder)
  }

  /** Throws `conflict` if no second factor is on. */
  async newRecoveryCodes(tx: Queryable, holder: Holder): Promise<string[]> {
    const state = await this.#secondFactors.state(tx, holder)
    if (!state.hasTotp && state.passkeys === 0) refuse('conflict')
    return this.#secondFactors.newRecoveryCodes(tx, holder)
  }

  passkeyOptions(tx: Queryable, holder: Holder, labels: Labels): Promise<Record<string, unknown>> {
    return this.#passkeys.registrationOptions(tx, holder, labels)
  }

  /** Returns recovery codes if there are none. Throws `passkey_refused`, `conflict` (at most 20). */
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

  async removePasskey(tx: Queryable, holder: Holder, id: string): Promise<void> {
    if (!(await this.#passkeys.remove(tx, holder, id))) refuse('not_found')
    await this.#secondFactors.removeIdleCodes(tx, holder)
  }

  async #codesIfNone(tx: Queryable, holder: Holder): Promise<string[]> {
    const { recoveryCodesLeft } = await this.#secondFactors.state(tx, holder)
    return recoveryCodesLeft > 0 ? [] : this.#secondFactors.newRecoveryCodes(tx, holder)
  }
}

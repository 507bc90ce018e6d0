import type { Database, Queryable } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Holder } from './holder.ts'
import type { PasskeyAnswer, Passkeys, StoredPasskey } from './passkeys.ts'
import type { SecondFactorState, SecondFactors } from './second-factors.ts'

export type FactorChange = 'totp_on' | 'totp_off' | 'passkey_added' | 'passkey_removed' | 'recovery_codes_new'

/** What a person may do with their own second factors. Who asks has proved recently who they are: the caller checks. */
export interface FactorActions {
  state(holder: Holder): Promise<SecondFactorState & { passkeyList: StoredPasskey[] }>
  beginTotp(holder: Holder, labels: Labels): Promise<{ secret: string; uri: string }>
  /** Returns recovery codes where there are none yet. */
  confirmTotp(holder: Holder, code: string): Promise<string[]>
  removeTotp(holder: Holder): Promise<void>
  newRecoveryCodes(holder: Holder): Promise<string[]>
  passkeyOptions(holder: Holder, labels: Labels): Promise<Record<string, unknown>>
  /** Returns recovery codes where there are none yet. */
  addPasskey(
    holder: Holder,
    answer: PasskeyAnswer,
    name: string,
  ): Promise<{ passkey: StoredPasskey; recoveryCodes: string[] }>
  removePasskey(holder: Holder, id: string): Promise<void>
}

interface Labels {
  issuer: string
  label: string
}

export interface FactorNeeds {
  database: Database
  secondFactors: SecondFactors
  passkeys: Passkeys
  /** Runs in the transaction of the change: a mail to its owner, an entry in the audit log. */
  onChange(tx: Queryable, holder: Holder, change: FactorChange): Promise<void>
}

export function createFactorActions(needs: FactorNeeds): FactorActions {
  const { database, secondFactors, passkeys, onChange } = needs

  const codesIfNone = async (tx: Queryable, holder: Holder): Promise<string[]> => {
    const { recoveryCodesLeft } = await secondFactors.state(tx, holder)
    return recoveryCodesLeft > 0 ? [] : secondFactors.newRecoveryCodes(tx, holder)
  }

  return {
    async state(holder) {
      const [state, passkeyList] = await Promise.all([
        secondFactors.state(database, holder),
        passkeys.list(database, holder),
      ])
      return { ...state, passkeyList }
    },
    beginTotp(holder, labels) {
      return secondFactors.beginTotp(database, holder, labels)
    },
    confirmTotp(holder, code) {
      return database.transaction(async (tx) => {
        await secondFactors.confirmTotp(tx, holder, code)
        await onChange(tx, holder, 'totp_on')
        return codesIfNone(tx, holder)
      })
    },
    removeTotp(holder) {
      return database.transaction(async (tx) => {
        await secondFactors.removeTotp(tx, holder)
        await onChange(tx, holder, 'totp_off')
      })
    },
    newRecoveryCodes(holder) {
      return database.transaction(async (tx) => {
        const state = await secondFactors.state(tx, holder)
        if (!state.hasTotp && state.passkeys === 0) refuse('conflict')
        await onChange(tx, holder, 'recovery_codes_new')
        return secondFactors.newRecoveryCodes(tx, holder)
      })
    },
    passkeyOptions(holder, labels) {
      return passkeys.registrationOptions(database, holder, labels)
    },
    addPasskey(holder, answer, name) {
      return database.transaction(async (tx) => {
        const passkey = await passkeys.register(tx, holder, answer, name)
        await onChange(tx, holder, 'passkey_added')
        return { passkey, recoveryCodes: await codesIfNone(tx, holder) }
      })
    },
    removePasskey(holder, id) {
      return database.transaction(async (tx) => {
        if (!(await passkeys.remove(tx, holder, id))) refuse('not_found')
        await onChange(tx, holder, 'passkey_removed')
      })
    },
  }
}

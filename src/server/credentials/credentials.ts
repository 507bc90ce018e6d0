import type { Database, Queryable } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { Factors } from './factors.ts'
import { FailedAttempts } from './failed-attempts.ts'
import { Links } from './one-time-links.ts'
import { Passkeys } from './passkeys.ts'
import { Passwords } from './passwords.ts'
import { Proofs } from './proofs.ts'
import { SecondFactors } from './second-factors.ts'

export type { FactorChange, Factors } from './factors.ts'
export type { FailedAttempt, FailedAttempts } from './failed-attempts.ts'
export type { Holder } from './holder.ts'
export { forgetClients, type Origin, placeOf, rememberClient } from './known-client.ts'
export { type Links, TAKE_BACK_DAYS } from './one-time-links.ts'
export { type OwnAccessActions, ownAccessActions } from './own-access-actions.ts'
export type { PasskeyAnswer, StoredPasskey } from './passkeys.ts'
export { logInByPassword } from './password-login.ts'
export {
  checkNewPassword,
  judgePassword,
  passwordsWaiting,
  refuseWhenLineIsFull,
  takeLine,
} from './passwords.ts'
export { type GivenProof, type Proof, proofInput, takeProof } from './proofs.ts'
export {
  type Client,
  type NewSession,
  type SessionKind,
  type SessionList,
  type SessionRow,
  type SessionSummary,
  Sessions,
} from './sessions.ts'

export interface CredentialsNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly limits: Limits
  readonly publicUrl: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

export class Credentials {
  readonly links = new Links()
  readonly passwords: Passwords
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly factors: Factors
  readonly proofs: Proofs
  readonly failed: FailedAttempts

  constructor({ db, secrets, limits, publicUrl, sendMail }: CredentialsNeeds) {
    this.passwords = new Passwords({ secrets })
    this.secondFactors = new SecondFactors({ secrets })
    this.passkeys = new Passkeys({ publicUrl })
    this.failed = new FailedAttempts({ db, secrets, sendMail })
    const { passwords, secondFactors, passkeys, failed } = this
    this.factors = new Factors({ db, secondFactors, passkeys })
    this.proofs = new Proofs({ db, limits, passwords, secondFactors, passkeys, failed })
  }
}

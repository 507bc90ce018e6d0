/** How people prove who they are: passwords, sessions, second factors, one-time links; the same for buyers and operators. */

export { createFactorActions, type FactorActions, type FactorChange } from './factor-actions.ts'
export type { Holder } from './holder.ts'
export { createLinks, type LinkPurpose, type Links } from './one-time-links.ts'
export { createPasskeys, type PasskeyAnswer, type Passkeys, type StoredPasskey } from './passkeys.ts'
export { logInByPassword } from './password-login.ts'
export { checkNewPassword, hashPassword, verifyPassword } from './passwords.ts'
export { createSecondFactors, type SecondFactorState, type SecondFactors } from './second-factors.ts'
export {
  type Client,
  createSessions,
  type NewSession,
  type SessionKind,
  type SessionRow,
  type SessionSummary,
  type Sessions,
} from './sessions.ts'

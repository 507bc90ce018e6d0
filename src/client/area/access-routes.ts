import type { accountRoutes } from '../../shared/api/account.ts'
import type { operatorSessionRoutes } from '../../shared/api/operator-session.ts'

/** Buyers and operators see, prove and change their access by the same calls, each below an address of their own. */
export type AccessRoutes = Pick<
  typeof accountRoutes | typeof operatorSessionRoutes,
  | 'stepUp'
  | 'passkeyLoginOptions'
  | 'sessions'
  | 'failedAttempts'
  | 'endSession'
  | 'endOtherSessions'
  | 'secondFactor'
  | 'beginTotp'
  | 'confirmTotp'
  | 'removeTotp'
  | 'newRecoveryCodes'
  | 'passkeyOptions'
  | 'addPasskey'
  | 'removePasskey'
>

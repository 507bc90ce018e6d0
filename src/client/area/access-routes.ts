import type { accountRoutes } from '../../shared/api/account.ts'
import type { operatorSessionRoutes } from '../../shared/api/operator-session.ts'

/** Buyers and operators have the same calls under different addresses. */
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

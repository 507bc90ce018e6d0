import type { accountRoutes } from '../../shared/api/account.ts'
import type { operatorSessionRoutes } from '../../shared/api/operator-session.ts'

/** Buyers and operators prove who they are by the same calls, each below an address of their own. */
export type FactorRoutes = Pick<
  typeof accountRoutes | typeof operatorSessionRoutes,
  | 'stepUp'
  | 'passkeyLoginOptions'
  | 'secondFactor'
  | 'beginTotp'
  | 'confirmTotp'
  | 'removeTotp'
  | 'newRecoveryCodes'
  | 'passkeyOptions'
  | 'addPasskey'
  | 'removePasskey'
>

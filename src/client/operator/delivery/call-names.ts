import { useLingui } from '@lingui/react/macro'
import type { UnsignedCall } from '../../../shared/api/rounds.ts'

/** What each transaction of a round does. */
export function useCallNames(): Record<UnsignedCall['what'], string> {
  const { t } = useLingui()
  return {
    factory: t`Make the factory of distributors, once a chain`,
    make: t`Make the distributor`,
    approve: t`Let the distributor take the tokens`,
    fund: t`Bring the tokens and open the claims`,
  }
}

import { deliveryRules } from '../delivery/check.ts'
import { journalRules } from '../journal/check.ts'
import { type LedgerRule, ledgerRules } from '../ledger/check.ts'
import { paymentRules, sealedRules } from '../payments/check.ts'
import { referralRules } from '../referral/check.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** Rules of `npm run ledger:check` that need no secret key, which a server also checks by itself. */
export const hourlyRules: readonly LedgerRule[] = [
  ...ledgerRules,
  ...paymentRules,
  ...deliveryRules,
  ...referralRules,
  ...journalRules,
]

/** All rules of `npm run ledger:check`, also used by restore and drill. The last ones decrypt sealed data. */
export function everyRule(secrets: Secrets): LedgerRule[] {
  return [...hourlyRules, ...sealedRules(secrets)]
}

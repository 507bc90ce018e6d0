import { deliveryRules } from '../delivery/check.ts'
import { journalRules } from '../journal/check.ts'
import { type LedgerRule, ledgerRules } from '../ledger/check.ts'
import { paymentRules, sealedRules } from '../payments/check.ts'
import { referralRules } from '../referral/check.ts'
import type { Secrets } from '../secrets/secrets.ts'

export const hourlyRules: readonly LedgerRule[] = [
  ...ledgerRules,
  ...paymentRules,
  ...deliveryRules,
  ...referralRules,
  ...journalRules,
]

/** The last rules decrypt sealed data. */
export function everyRule(secrets: Secrets): LedgerRule[] {
  return [...hourlyRules, ...sealedRules(secrets)]
}

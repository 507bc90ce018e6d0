import { deliveryRules } from '../delivery/check.ts'
import { journalRules } from '../journal/check.ts'
import { type LedgerRule, ledgerRules } from '../ledger/check.ts'
import { paymentRules, sealedRules } from '../payments/check.ts'
import { referralRules } from '../referral/check.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** The rules of `npm run ledger:check` that need no secret key: a server asks them by itself, too. */
export const hourlyRules: readonly LedgerRule[] = [
  ...ledgerRules,
  ...paymentRules,
  ...deliveryRules,
  ...referralRules,
  ...journalRules,
]

/** Every rule of `npm run ledger:check`; a restore and a drill hold the same. The last ones open seals. */
export function everyRule(secrets: Secrets): LedgerRule[] {
  return [...hourlyRules, ...sealedRules(secrets)]
}

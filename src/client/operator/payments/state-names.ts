import { useLingui } from '@lingui/react/macro'
import type { PaymentState, refundStates } from '../../../shared/payment-states.ts'

export type RefundState = (typeof refundStates)[number]

/** A payment's state in words. */
export function usePaymentStateName(): (state: PaymentState) => string {
  const { t } = useLingui()
  return (state) =>
    ({
      seen: t`seen`,
      confirming: t`confirming`,
      credited: t`credited`,
      final: t`final`,
      replaced: t`replaced by another`,
      orphaned: t`dropped from the chain`,
      failed: t`failed on the chain`,
      wrong_asset: t`another asset`,
      unmatched: t`belongs to no order`,
    })[state]
}

/** A refund's state in words. */
export function useRefundStateName(): (state: RefundState) => string {
  const { t } = useLingui()
  return (state) =>
    ({
      owed: t`owed, no address yet`,
      claimed: t`address given`,
      prepared: t`prepared to be signed`,
      sent: t`sent`,
      paid: t`paid back`,
      written_off: t`written off`,
    })[state]
}

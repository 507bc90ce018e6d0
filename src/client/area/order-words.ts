import { useLingui } from '@lingui/react/macro'
import type { OrderStatus, ToldDetail } from '../../shared/order-states.ts'

export function useStatusNames(): Record<OrderStatus, string> {
  const { t } = useLingui()
  return { pending: t`pending`, approved: t`approved`, rejected: t`rejected` }
}

/** Detailed states that buyers and operators see under different names. */
type OwnDetail = 'awaiting_payment' | 'named' | 'credited' | 'expired'

export function useDetailNames(own: Record<OwnDetail, string>): Record<ToldDetail, string> {
  const { t } = useLingui()
  return {
    ...own,
    seen: t`payment seen`,
    confirming: t`confirming`,
    underpaid: t`bought in part`,
    overpaid: t`overpaid`,
    under_review: t`under review`,
    refund_due: t`refund due`,
    refunded: t`refunded`,
    approved_by_operator: t`approved by an operator`,
    rejected_by_operator: t`rejected by an operator`,
    reversed: t`reversed`,
  }
}

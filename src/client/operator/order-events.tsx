import { useLingui } from '@lingui/react/macro'

/** What happened to an order, in words. */
export function EventName({ kind }: { kind: string }) {
  const { t } = useLingui()
  const names: Record<string, string> = {
    created: t`Created`,
    payment_seen: t`Payment seen`,
    payment_gone: t`Payment gone from the chain`,
    payment_lost: t`Payment lost after it was credited`,
    seen: t`Payment seen`,
    confirming: t`Payment is being confirmed`,
    credited: t`Payment credited`,
    settled: t`Payment settled`,
    approved: t`Approved`,
    rejected: t`Rejected`,
    reversed: t`Approval taken back`,
    expired: t`Expired unpaid`,
    hidden: t`Deleted from the operators' lists`,
    unhidden: t`Put back on the lists`,
    transaction_id_entered: t`Transaction id entered`,
    payment_attached: t`Payment counted for this order`,
    refund_claimed: t`Address for the refund given`,
    refund_due: t`Refund due`,
    refund_owed: t`Owed back`,
    refunded: t`Refunded`,
    underpaid: t`Underpaid`,
    overpaid: t`Overpaid`,
    late: t`Paid late`,
    soft_cap_missed: t`Kept, though the soft cap was missed`,
    under_review: t`Under review`,
  }
  return names[kind] ?? kind.replaceAll('_', ' ')
}

/** Who did it, in words; operators by their login. */
export function useActorName(): (actor: string) => string {
  const { t } = useLingui()
  const known: Record<string, string> = {
    buyer: t`the buyer`,
    chain: t`the chain`,
    system: t`the system`,
    operator: t`an operator`,
  }
  return (actor) => {
    const login = /^operator (.+)$/.exec(actor)?.[1]
    return login ? t`operator ${login}` : (known[actor] ?? actor)
  }
}

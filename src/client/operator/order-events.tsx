import { useLingui } from '@lingui/react/macro'

export function EventName({ kind }: { kind: string }) {
  const { t } = useLingui()
  const names: Record<string, string> = {
    created: t`Created`,
    payment_seen: t`Payment seen`,
    payment_lost: t`Payment lost after it was credited`,
    settled: t`Payment settled`,
    approved: t`Approved`,
    rejected: t`Rejected`,
    reversed: t`Approval taken back`,
    hidden: t`Deleted from the operators' lists`,
    unhidden: t`Put back on the lists`,
    transaction_id_entered: t`Transaction id entered`,
    payment_attached: t`Payment counted for this order`,
    refund_claimed: t`Address for the refund given`,
    refund_owed: t`Owed back`,
    refund_paid: t`Refunded`,
  }
  return names[kind] ?? kind.replaceAll('_', ' ')
}

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

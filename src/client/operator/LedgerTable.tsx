import { useLingui } from '@lingui/react/macro'
import { DataTable } from '../area/DataTable.tsx'
import { DateTime, Money, TokenAmount } from '../ui/numbers.tsx'
import { OrderLink } from './OrderLink.tsx'
import { useSymbol } from './queries.ts'

interface Entry {
  id?: string
  posting: string
  kind: string
  account: string
  asset: string
  amount: string
  at: string
  orderId?: number | null
}

/** Each posting's entries sum to 0. */
export function LedgerTable({ entries, orders = false }: { entries: readonly Entry[]; orders?: boolean }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const kinds = useKindNames()
  const accounts = useAccountNames()
  return (
    <DataTable
      caption={t`Ledger entries`}
      rows={entries}
      // Entries don't always have a key; the list is append-only.
      keyOf={({ id, posting }, index) => id ?? `${posting}:${index}`}
      empty={t`No entries yet.`}
      columns={[
        { label: t`Posting`, cell: ({ posting }) => <span className="figures">{posting}</span> },
        { label: t`Kind`, cell: ({ kind }) => kinds[kind] ?? kind },
        orders ? { label: t`Order`, cell: ({ orderId }) => <OrderLink id={orderId} /> } : null,
        {
          label: t({ message: 'Account', context: 'in the ledger' }),
          cell: ({ account }) => accounts[account] ?? account,
        },
        {
          label: t`Amount`,
          numeric: true,
          cell: ({ asset, amount }) =>
            asset === 'USD' ? (
              <Money value={amount} />
            ) : (
              <TokenAmount value={amount} unit={asset === 'TOKEN' ? symbol : asset} decimalsMax={18} />
            ),
        },
        { label: t`Written`, cell: ({ at }) => <DateTime value={at} /> },
      ]}
    />
  )
}

/** Names by the database's `postings_kind`. */
function useKindNames(): Record<string, string> {
  const { t } = useLingui()
  return {
    order_approved: t`order approved`,
    order_reversed: t`approval taken back`,
    grant: t`balance added`,
    grant_reversed: t`addition taken back`,
    referral: t`brought a buyer`,
    referral_reversed: t`reward taken back`,
    refund_owed: t`refund owed`,
    refund_paid: t`refund paid`,
    refund_unpaid: t`refund lost to a reorganisation`,
    refund_written_off: t`refund written off`,
    round_frozen: t`delivery round frozen`,
  }
}

/** Names by the database's `entries_account`. */
function useAccountNames(): Record<string, string> {
  const { t } = useLingui()
  return {
    sale_supply: t`tokens for sale`,
    bonus_supply: t`tokens for bonuses and grants`,
    buyer_purchased: t`buyer: purchased`,
    buyer_bonus: t`buyer: bonus`,
    buyer_granted: t`buyer: granted`,
    buyer_deposits: t`buyer: deposits`,
    raised_on_chain: t`raised, confirmed on chain`,
    raised_by_operator: t`raised, approved by an operator`,
    refunds_owed: t`refunds owed`,
    refunds_paid: t`refunds paid`,
    received: t`received`,
    held_tokens: t`held for delivery`,
    allocated_purchased: t`buyer: purchased, in a delivery round`,
    allocated_bonus: t`buyer: bonus, in a delivery round`,
    allocated_granted: t`buyer: granted, in a delivery round`,
  }
}

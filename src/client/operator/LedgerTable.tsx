import { useLingui } from '@lingui/react/macro'
import { Link } from 'react-router'
import { DateTime, Money, TokenAmount } from '../ui/numbers.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../ui/Table.tsx'
import { paths } from './paths.ts'
import { useSymbol } from './queries.ts'

interface Entry {
  posting: string
  kind: string
  account: string
  asset: string
  amount: string
  at: string
  orderId?: number | null
}

/** Ledger entries as they are written: each posting's entries add up to 0. */
export function LedgerTable({ entries, orders = false }: { entries: readonly Entry[]; orders?: boolean }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const kinds = useKindNames()
  const accounts = useAccountNames()
  return (
    <Table caption={t`Ledger entries`} stack>
      <THead>
        <Th>{t`Posting`}</Th>
        <Th>{t`Kind`}</Th>
        {orders ? <Th>{t`Order`}</Th> : null}
        <Th>{t`Account`}</Th>
        <Th numeric>{t`Amount`}</Th>
        <Th>{t`Written`}</Th>
      </THead>
      <TBody>
        {entries.length === 0 ? <EmptyRow columns={orders ? 6 : 5}>{t`No entries yet.`}</EmptyRow> : null}
        {entries.map((entry, index) => (
          // Entries have no key of their own everywhere; the list is append-only.
          // oxlint-disable-next-line react/no-array-index-key
          <Tr key={`${entry.posting}:${index}`}>
            <Td label={t`Posting`}>
              <span className="figures">{entry.posting}</span>
            </Td>
            <Td label={t`Kind`}>{kinds[entry.kind] ?? entry.kind}</Td>
            {orders ? (
              <Td label={t`Order`}>
                {entry.orderId ? (
                  <Link className="figures underline" to={paths.order(entry.orderId)}>
                    {entry.orderId}
                  </Link>
                ) : (
                  '—'
                )}
              </Td>
            ) : null}
            <Td label={t`Account`}>{accounts[entry.account] ?? entry.account}</Td>
            <Td label={t`Amount`} numeric>
              {entry.asset === 'USD' ? (
                <Money value={entry.amount} />
              ) : (
                <TokenAmount
                  value={entry.amount}
                  unit={entry.asset === 'TOKEN' ? symbol : entry.asset}
                  decimalsMax={18}
                />
              )}
            </Td>
            <Td label={t`Written`}>
              <DateTime value={entry.at} />
            </Td>
          </Tr>
        ))}
      </TBody>
    </Table>
  )
}

/** What a posting is about, by the database's names (`postings_kind`). */
function useKindNames(): Record<string, string> {
  const { t } = useLingui()
  return {
    order_approved: t`order approved`,
    order_reversed: t`approval taken back`,
    grant: t`balance added`,
    grant_reversed: t`addition taken back`,
    refund_owed: t`refund owed`,
    refund_paid: t`refund paid`,
    refund_unpaid: t`refund lost to a reorganisation`,
    refund_written_off: t`refund written off`,
  }
}

/** The accounts of the ledger, by the database's names (`entries_account`). */
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
  }
}

import { useLingui } from '@lingui/react/macro'
import { Link } from 'react-router'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { useOperatorZone } from '../data.ts'
import { places } from '../places.ts'

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
  const zone = useOperatorZone()
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
            <Td label={t`Kind`}>{entry.kind.replaceAll('_', ' ')}</Td>
            {orders ? (
              <Td label={t`Order`}>
                {entry.orderId ? (
                  <Link className="figures underline" to={places.order(entry.orderId)}>
                    {entry.orderId}
                  </Link>
                ) : (
                  '—'
                )}
              </Td>
            ) : null}
            <Td label={t`Account`}>{entry.account.replaceAll('_', ' ')}</Td>
            <Td label={t`Amount`} numeric>
              <TokenAmount value={entry.amount} unit={entry.asset === 'token' ? undefined : entry.asset} />
            </Td>
            <Td label={t`Written`}>
              <DateTime value={entry.at} timeZone={zone} />
            </Td>
          </Tr>
        ))}
      </TBody>
    </Table>
  )
}

import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { exportPaths } from '../../../shared/api/audit.ts'
import { operatorOrderRoutes } from '../../../shared/api/orders.ts'
import { useRowKeys } from '../../area/keyboard.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Page } from '../../area/Page.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { useCursor } from '../../area/url-state.ts'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { ExportLink } from '../ExportLink.tsx'
import { OrderStatusBadge } from '../order-status.tsx'
import { paths } from '../paths.ts'

const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** `Approved Transactions`, in the reader's own time. */
export function ApprovedPage() {
  const { t } = useLingui()
  const cursor = useCursor()
  const rows = useRowKeys()
  const query = useQuery({
    ...read(operatorOrderRoutes.list, {
      query: { status: 'approved', after: cursor.after, limit: 10 },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <Page
      title={t`Approved Transactions`}
      lead={t`List of approved transactions`}
      action={<ExportLink path={exportPaths.approved} />}
    >
      <Loaded query={query} loading={t`Loading approved transactions...`}>
        {(page) => (
          <>
            <Table caption={t`List of approved transactions`} stack>
              <THead>
                <Th>{t`Transaction ID`}</Th>
                <Th numeric>{t`Amount`}</Th>
                <Th>{t`Email`}</Th>
                <Th>{t`Address`}</Th>
                <Th>{t`Status`}</Th>
                <Th>{t`Created At`}</Th>
              </THead>
              <TBody {...rows}>
                {page.items.length === 0 ? (
                  <EmptyRow columns={6}>{t`No approved transactions available.`}</EmptyRow>
                ) : null}
                {page.items.map((order) => (
                  <Tr key={order.id}>
                    <Td label={t`Transaction ID`}>
                      <Link
                        className="figures font-semibold underline underline-offset-2"
                        to={paths.order(order.id)}
                      >
                        {order.id}
                      </Link>
                    </Td>
                    <Td label={t`Amount`} numeric>
                      <TokenAmount value={order.cryptoAmount} unit={order.currency} />
                    </Td>
                    <Td label={t`Email`} className="wrap-anywhere">
                      {order.email || order.userReference}
                    </Td>
                    <Td label={t`Address`}>
                      <ShortCode text={order.address} what={t`Copy the address of order ${order.id}`} />
                    </Td>
                    <Td label={t`Status`}>
                      <OrderStatusBadge status={order.status} />
                    </Td>
                    <Td label={t`Created At`}>
                      <DateTime value={order.createdAt} timeZone={viewerZone} />
                    </Td>
                  </Tr>
                ))}
              </TBody>
            </Table>
            <Pagination
              page={cursor.page}
              hasPrevious={cursor.hasPrevious}
              hasNext={page.next !== null}
              onPrevious={cursor.previous}
              onNext={() => page.next && cursor.next(page.next)}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

import { useLingui } from '@lingui/react/macro'
import { exportPaths } from '../../../shared/api/audit.ts'
import { operatorOrderRoutes } from '../../../shared/api/orders.ts'
import { List, useList } from '../../area/List.tsx'
import { Page } from '../../area/Page.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { ExportLink } from '../ExportLink.tsx'
import { OrderLink } from '../OrderLink.tsx'
import { OrderStatusBadge } from '../order-status.tsx'

export function ApprovedPage() {
  const { t } = useLingui()
  const list = useList(operatorOrderRoutes.list, { status: 'approved', limit: 10 })
  return (
    <Page
      title={t`Approved Transactions`}
      lead={t`List of approved transactions`}
      action={<ExportLink path={exportPaths.approved} />}
    >
      <List
        list={list}
        loading={t`Loading approved transactions...`}
        empty={t`No approved transactions available.`}
        caption={t`List of approved transactions`}
        keyOf={({ id }) => id}
        columns={[
          { label: t`Transaction ID`, cell: ({ id }) => <OrderLink id={id} strong /> },
          {
            label: t`Amount`,
            numeric: true,
            cell: ({ cryptoAmount, currency }) => <TokenAmount value={cryptoAmount} unit={currency} />,
          },
          {
            label: t`Email`,
            className: 'wrap-anywhere',
            cell: ({ email, userReference }) => email || userReference,
          },
          {
            label: t`Address`,
            cell: ({ id, address }) => <ShortCode text={address} what={t`Copy the address of order ${id}`} />,
          },
          { label: t`Status`, cell: (order) => <OrderStatusBadge order={order} /> },
          {
            label: t`Created At`,
            cell: ({ createdAt }) => <DateTime value={createdAt} />,
          },
        ]}
      />
    </Page>
  )
}

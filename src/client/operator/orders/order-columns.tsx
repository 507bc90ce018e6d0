import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { OperatorOrder } from '../../../shared/api/orders.ts'
import { isToldAlone } from '../../../shared/order-states.ts'
import { useCountryName } from '../../area/countries.ts'
import type { Column } from '../../area/DataTable.tsx'
import { useMedia } from '../../ui/media.ts'
import { DateTime, Money, RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { OrderStatusBadge, useDetailName } from '../order-status.tsx'
import { paths } from '../paths.ts'
import { useNetworkName } from '../payment-names.ts'
import { useSymbol } from '../queries.ts'

export type OrderSort = 'created' | 'updated' | 'status'
type OrderColumn = Column<OperatorOrder, OrderSort>

export const optionalColumns = [
  'token',
  'value',
  'address',
  'email',
  'receive',
  'country',
  'status',
  'created',
  'updated',
] as const
export type OptionalColumn = (typeof optionalColumns)[number]

export function useHiddenColumns(): readonly OptionalColumn[] {
  return useMedia('(min-width: 40rem) and (max-width: 87rem)') ? ['country', 'updated'] : ['country']
}

/** Explains the label `Change value`. */
function useChangeValue(): Pick<OrderColumn, 'label' | 'head'> {
  const { t } = useLingui()
  const label = t({ message: 'Change value', context: 'what the order changes into tokens' })
  return {
    label,
    head: (
      <>
        {label}
        <span className="block text-xs font-normal text-faint">{t`what is paid`}</span>
      </>
    ),
  }
}

export function useOptionalColumns(): Record<OptionalColumn, OrderColumn> {
  const { t } = useLingui()
  const symbol = useSymbol()
  const changeValue = useChangeValue()
  const countryName = useCountryName()
  return {
    ...useCodeColumns(),
    value: {
      ...changeValue,
      numeric: true,
      cell: ({ cryptoAmount, currency, usd }) => (
        <span className="whitespace-nowrap">
          <TokenAmount value={cryptoAmount} unit={currency.toUpperCase()} className="block" />
          <Money value={usd} className="text-soft" />
        </span>
      ),
    },
    email: { label: t`Email`, cell: (order) => <Buyer order={order} /> },
    receive: {
      label: t`Amount to Receive`,
      numeric: true,
      cell: ({ receiveTokens }) => <TokenAmount value={receiveTokens} unit={symbol} />,
    },
    country: { label: t`Country, declared`, cell: ({ country }) => (country ? countryName(country) : '—') },
    status: { label: t`Status`, sort: 'status', cell: (order) => <State order={order} /> },
    created: {
      label: t`Created At`,
      sort: 'created',
      headClassName: 'whitespace-nowrap',
      cell: ({ createdAt, status }) => <Moment value={createdAt} hasAge={status === 'pending'} />,
    },
    updated: {
      label: t`Updated At`,
      sort: 'updated',
      headClassName: 'whitespace-nowrap',
      cell: ({ updatedAt }) => <Moment value={updatedAt} />,
    },
  }
}

function useCodeColumns(): Record<'token' | 'address', OrderColumn> {
  const { t } = useLingui()
  const networkName = useNetworkName()
  return {
    token: {
      label: t`Order Token`,
      cell: ({ id, token }) => <ShortCode text={token} what={t`Copy the token of order ${id}`} />,
    },
    address: {
      label: t`Address`,
      cell: ({ id, address, network, transactionId, paidBy }) => (
        <>
          <ShortCode text={address} what={t`Copy the address of order ${id}`} />
          <span className="block text-soft">{networkName(network)}</span>
          {paidBy || transactionId ? (
            <span className="block text-now-text">
              <abbr title={t`Transaction ID`} className="mr-1 no-underline">
                tx
              </abbr>
              <ShortCode
                text={paidBy ?? transactionId ?? ''}
                what={t`Copy the transaction id of order ${id}`}
              />
            </span>
          ) : null}
        </>
      ),
    },
  }
}

/** Columns beside an open order, with two facts per cell. */
export function useNarrowColumns(idCell: (order: OperatorOrder) => ReactNode): OrderColumn[] {
  const { t } = useLingui()
  const changeValue = useChangeValue()
  return [
    {
      label: t`Order`,
      cell: (order) => (
        <>
          <span className="block">{idCell(order)}</span>
          <Buyer order={order} />
        </>
      ),
    },
    {
      ...changeValue,
      numeric: true,
      cell: (order) => <Value order={order} />,
    },
    {
      label: t`Status`,
      cell: (order) => (
        <>
          <State order={order} />
          <RelativeTime value={order.createdAt} className="block text-soft" />
        </>
      ),
    },
  ]
}

function Value({ order: { cryptoAmount, currency, usd, network } }: { order: OperatorOrder }) {
  const networkName = useNetworkName()
  return (
    <span className="whitespace-nowrap">
      <TokenAmount value={cryptoAmount} unit={currency.toUpperCase()} className="block" />
      <span className="text-soft">
        <Money value={usd} /> · {networkName(network)}
      </span>
    </span>
  )
}

function Buyer({ order: { userId, email, userReference } }: { order: OperatorOrder }) {
  return (
    <Link
      to={paths.user(userId)}
      title={email}
      className="hover:underline max-sm:wrap-anywhere sm:inline-block sm:max-w-20 sm:truncate sm:align-bottom 2xl:max-w-64"
    >
      {email || userReference}
    </Link>
  )
}

/** The detailed state is below the status if it adds something. */
function State({ order }: { order: OperatorOrder }) {
  const nameOf = useDetailName()
  return (
    <>
      <OrderStatusBadge order={order} className="sm:max-w-28 sm:whitespace-normal!" />
      {(order.status === 'pending' && !isToldAlone(order)) || order.detail === 'underpaid' ? (
        <span className="mt-0.5 block max-w-28 text-xs text-soft max-sm:max-w-none">{nameOf(order)}</span>
      ) : null}
    </>
  )
}

/** A waiting order also shows its age. */
function Moment({ value, hasAge = false }: { value: string; hasAge?: boolean }) {
  return (
    <span className="whitespace-nowrap max-sm:text-right">
      <DateTime value={value} part="date" className="block" />
      <DateTime value={value} part="time" className="block text-soft" />
      {hasAge ? <RelativeTime value={value} className="block text-now-text" /> : null}
    </span>
  )
}

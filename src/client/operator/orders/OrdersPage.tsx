import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { exportPaths } from '../../../shared/api/audit.ts'
import { type OperatorOrder, operatorOrderRoutes } from '../../../shared/api/orders.ts'
import { type OrderStatus, orderStatuses } from '../../../shared/order-states.ts'
import { useRowKeys } from '../../area/keyboard.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Page } from '../../area/Page.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { SearchField } from '../../area/SearchField.tsx'
import { useCursor, useUrlState } from '../../area/url-state.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { Field } from '../../ui/Field.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { Select } from '../../ui/Select.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { EmptyRow, type SortDirection, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { ExportLink } from '../ExportLink.tsx'
import { OrderStatusBadge } from '../order-status.tsx'
import { paths } from '../paths.ts'
import { useSymbol } from '../queries.ts'
import { type Asked, DecideOrder, useDecisionRefusal } from './decide.tsx'

type Sort = 'created' | 'updated' | 'status'
const rowsPerPage = 10

/** `All Transactions`: every order, page by page, with what can be done about each. */
export function OrdersPage() {
  const { t } = useLingui()
  const url = useUrlState()
  const cursor = useCursor()
  const [asked, setAsked] = useState<Asked>()
  const status = orderStatuses.find((known) => known === url.get('status'))
  const search = url.get('search')
  const hidden = url.get('deleted') === 'yes'
  const sort = (url.get('sort') as Sort | undefined) ?? 'created'
  const direction: SortDirection = url.get('direction') === 'asc' ? 'asc' : 'desc'
  const filters = {
    status,
    search,
    sort,
    direction,
    after: cursor.after,
    hidden: hidden ? ('true' as const) : undefined,
  }
  const query = useQuery({
    ...read(operatorOrderRoutes.list, { query: { ...filters, limit: rowsPerPage } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  // Deleting what a page held leaves it empty: the one before it is the place to be.
  const emptied = query.data?.items.length === 0 && cursor.hasPrevious && !query.isPlaceholderData
  const back = cursor.previous
  useEffect(() => {
    if (emptied) back()
    // The way back is read once, when the page turns out to be empty.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [emptied])

  return (
    <Page
      title={t`All Transactions`}
      action={
        <>
          <Link to={paths.approved} className={buttonLook({ variant: 'secondary', size: 'sm' })}>
            <Trans>Approved Transactions</Trans>
          </Link>
          <ExportLink
            path={exportPaths.transactions}
            query={{ status, search, hidden: hidden ? 'true' : undefined }}
          />
        </>
      }
    >
      <Filters status={status} hidden={hidden} search={search ?? ''} onChange={url.set} />
      <Loaded query={query} loading={t`Loading transactions...`}>
        {(page) => (
          <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
            <Rows
              orders={page.items}
              sort={sort}
              direction={direction}
              onSort={(next) =>
                url.set({
                  sort: next,
                  direction: next === sort && direction === 'desc' ? 'asc' : 'desc',
                })
              }
              onAsk={setAsked}
            />
            <Pagination
              page={cursor.page}
              hasPrevious={cursor.hasPrevious}
              hasNext={page.next !== null}
              onPrevious={cursor.previous}
              onNext={() => page.next && cursor.next(page.next)}
            />
          </div>
        )}
      </Loaded>
      {asked ? <DecideOrder asked={asked} onClose={() => setAsked(undefined)} /> : null}
    </Page>
  )
}

function Filters({
  status,
  hidden,
  search,
  onChange,
}: {
  status: OrderStatus | undefined
  hidden: boolean
  search: string
  onChange: (changes: Record<string, string | null>) => void
}) {
  const { t } = useLingui()
  return (
    <search className="mb-4 flex flex-wrap items-end gap-4">
      <SearchField
        value={search}
        onChange={(next) => onChange({ search: next })}
        placeholder={t`Id, token, e-mail, address (Ctrl+K)`}
      />
      <Field label={t`Status`} className="w-44">
        <Select
          value={status ?? 'all'}
          onValueChange={(next) => onChange({ status: next === 'all' ? null : next })}
          options={[
            { value: 'all', label: t`All` },
            { value: 'pending', label: t`pending` },
            { value: 'approved', label: t`approved` },
            { value: 'rejected', label: t`rejected` },
          ]}
        />
      </Field>
      <div className="flex h-11 items-center">
        <Checkbox checked={hidden} onCheckedChange={(next) => onChange({ deleted: next ? 'yes' : null })}>
          <Trans>With deleted ones</Trans>
        </Checkbox>
      </div>
    </search>
  )
}

function Rows({
  orders,
  sort,
  direction,
  onSort,
  onAsk,
}: {
  orders: readonly OperatorOrder[]
  sort: Sort
  direction: SortDirection
  onSort: (sort: Sort) => void
  onAsk: (asked: Asked) => void
}) {
  const { t } = useLingui()
  const rows = useRowKeys()
  const sorted = (column: Sort) => ({
    sort: sort === column ? direction : null,
    onSort: () => onSort(column),
  })
  return (
    <Table
      caption={t`All Transactions`}
      stack
      className="sm:text-[0.8125rem] [&_td]:sm:px-1.5 [&_th]:sm:px-1.5"
    >
      <THead>
        <Th>{t`ID`}</Th>
        <Th>{t`Order Token`}</Th>
        <Th numeric>{t({ message: 'Change value', context: 'what the order changes into tokens' })}</Th>
        <Th>{t`Address`}</Th>
        <Th>{t`Email`}</Th>
        <Th numeric>{t`Amount to Receive`}</Th>
        <Th {...sorted('status')}>{t`Status`}</Th>
        <Th {...sorted('created')} className="whitespace-nowrap">{t`Created At`}</Th>
        <Th {...sorted('updated')} className="whitespace-nowrap">{t`Updated At`}</Th>
        <Th className="text-right">{t`Actions`}</Th>
      </THead>
      <TBody {...rows}>
        {orders.length === 0 ? <EmptyRow columns={10}>{t`No results.`}</EmptyRow> : null}
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} onAsk={onAsk} />
        ))}
      </TBody>
    </Table>
  )
}

function OrderRow({ order, onAsk }: { order: OperatorOrder; onAsk: (asked: Asked) => void }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const refusal = useDecisionRefusal()
  const { id } = order
  return (
    <Tr className={order.hidden ? 'text-soft' : undefined}>
      <Td label={t`ID`}>
        <Link className="figures font-semibold underline underline-offset-2" to={paths.order(id)}>
          {id}
        </Link>
      </Td>
      <Td label={t`Order Token`}>
        <ShortCode text={order.token} what={t`Copy the token of order ${id}`} />
      </Td>
      <Td label={t({ message: 'Change value', context: 'what the order changes into tokens' })} numeric>
        <TokenAmount value={order.cryptoAmount} unit={order.currency.toUpperCase()} />
      </Td>
      <Td label={t`Address`}>
        <ShortCode text={order.address} what={t`Copy the address of order ${id}`} />
      </Td>
      <Td label={t`Email`}>
        <Link
          to={paths.user(order.userId)}
          title={order.email}
          className="inline-block max-w-28 truncate 2xl:max-w-64 max-sm:max-w-56 align-bottom hover:underline"
        >
          {order.email || order.userReference}
        </Link>
      </Td>
      <Td label={t`Amount to Receive`} numeric>
        <TokenAmount value={order.receiveTokens} unit={symbol} />
      </Td>
      <Td label={t`Status`}>
        <OrderStatusBadge status={order.status} />
      </Td>
      <Td label={t`Created At`}>
        <Moment value={order.createdAt} />
      </Td>
      <Td label={t`Updated At`}>
        <Moment value={order.updatedAt} />
      </Td>
      <Td className="max-sm:justify-end!">
        <span className="flex justify-end">
          <Menu
            trigger={
              <button
                type="button"
                aria-label={t`Actions for order ${id}`}
                className={buttonLook({ variant: 'ghost', size: 'icon-sm' })}
              >
                <MoreHorizontal aria-hidden="true" className="size-4" />
              </button>
            }
            actions={[
              {
                label: t`Approve payment`,
                onSelect: () => onAsk({ decision: 'approve', order }),
                disabledReason: refusal('approve', order),
              },
              {
                label: t`Reject payment`,
                danger: true,
                onSelect: () => onAsk({ decision: 'reject', order }),
                disabledReason: refusal('reject', order),
              },
            ]}
          />
          <Button
            variant="ghost"
            size="sm"
            className="px-2! text-danger!"
            aria-label={t`Delete order ${id}`}
            disabledReason={refusal('hide', order)}
            onClick={() => onAsk({ decision: 'hide', order })}
          >
            <Trans>Delete</Trans>
          </Button>
        </span>
      </Td>
    </Tr>
  )
}

/** Date over time, so that ten columns fit side by side. */
function Moment({ value }: { value: string }) {
  return (
    <span className="whitespace-nowrap max-sm:text-right">
      <DateTime value={value} part="date" className="block" />
      <DateTime value={value} part="time" className="text-soft" />
    </span>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'react-router'
import { exportPaths } from '../../../shared/api/audit.ts'
import { type OperatorOrder, operatorOrderRoutes } from '../../../shared/api/orders.ts'
import { orderStatuses } from '../../../shared/order-states.ts'
import type { Column } from '../../area/DataTable.tsx'
import { FilterCheckbox, FilterSelect } from '../../area/Filters.tsx'
import { useListKeys } from '../../area/keyboard.ts'
import { List, useList } from '../../area/List.tsx'
import { Page } from '../../area/Page.tsx'
import { MoreMenu } from '../../area/RowActions.tsx'
import { SearchField } from '../../area/SearchField.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { ShortCode } from '../../ui/ShortCode.tsx'
import { ExportLink } from '../ExportLink.tsx'
import { OrderLink } from '../OrderLink.tsx'
import { OrderStatusBadge } from '../order-status.tsx'
import { paths } from '../paths.ts'
import { useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { ApproveMany } from './ApproveMany.tsx'
import { type Asked, DecideOrder, type Decision, useDecisionRefusal } from './DecideOrder.tsx'
import { KeysHelp } from './KeysHelp.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { canApprove, type Selection, useSelection } from './selection.ts'

type Sort = 'created' | 'updated' | 'status'

/** `All Transactions`: every order, page by page, with what can be done about each. */
export function OrdersPage() {
  const { t } = useLingui()
  const url = useUrlState()
  const [asked, setAsked] = useState<Asked>()
  const sort = (url.get('sort') as Sort | undefined) ?? 'created'
  const direction = url.get('direction') === 'asc' ? 'asc' : 'desc'
  const filters = {
    status: orderStatuses.find((known) => known === url.get('status')),
    search: url.get('search'),
    hidden: url.get('deleted') === 'yes' ? ('true' as const) : undefined,
  }
  const list = useList(operatorOrderRoutes.list, { ...filters, sort, direction, limit: 10 })
  const rows = list.page?.items ?? []
  const selection = useSelection({ ...filters, sort, direction }, rows)
  // What is reviewed stays the same while its orders change one by one.
  const [reviewed, setReviewed] = useState<readonly OperatorOrder[]>()
  const review = () => setReviewed(selection.orders)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const columns = useColumns(setAsked, selection)
  useOrderKeys(rows, selection, {
    ask: setAsked,
    review,
    help: () => setHelpOpen(true),
  })
  return (
    <Page
      title={t`All Transactions`}
      action={
        <>
          <Link to={paths.approved} className={buttonLook({ variant: 'secondary', size: 'sm' })}>
            <Trans>Approved Transactions</Trans>
          </Link>
          <ExportLink path={exportPaths.transactions} query={filters} />
        </>
      }
    >
      <Filters />
      <List
        list={list}
        loading={t`Loading transactions...`}
        empty={t`No results.`}
        caption={t`All Transactions`}
        columns={columns}
        keyOf={({ id }) => id}
        rowClassName={({ hidden }) => (hidden ? 'text-soft' : undefined)}
        className="sm:text-[0.8125rem] [&_td]:sm:px-1.5 [&_th]:sm:px-1.5"
        sorting={{
          by: sort,
          direction,
          onSort: (next) =>
            url.set({ sort: next, direction: next === sort && direction === 'desc' ? 'asc' : 'desc' }),
        }}
      />
      <SelectionBar selection={selection} onReview={review} />
      {reviewed ? (
        <ApproveMany
          orders={reviewed}
          onClose={(ended) => {
            setReviewed(undefined)
            selection.mark(ended, false)
          }}
        />
      ) : null}
      <KeysHelp open={isHelpOpen} onOpenChange={setHelpOpen} />
      {asked ? (
        <DecideOrder
          asked={asked}
          onClose={() => setAsked(undefined)}
          onDone={() => selection.mark([asked.order], false)}
        />
      ) : null}
    </Page>
  )
}

/** The keys that `KeysHelp` lists. */
function useOrderKeys(
  rows: readonly OperatorOrder[],
  selection: Selection,
  { ask, review, help }: { ask: (asked: Asked) => void; review: () => void; help: () => void },
) {
  const refusal = useDecisionRefusal()
  const mayNot = useRefusal()('orders:decide')
  const act = (decision: Decision) => (row: string | undefined) => {
    const order = rows.find(({ id }) => String(id) === row)
    if (order && !refusal(decision, order)) ask({ decision, order })
  }
  useListKeys({
    x: (row) => {
      const order = rows.find(({ id }) => String(id) === row)
      if (order) selection.toggle(order)
    },
    a: (row) => {
      if (selection.orders.length === 0) act('approve')(row)
      else if (!mayNot) review()
    },
    r: act('reject'),
    '?': help,
  })
}

function Filters() {
  const { t } = useLingui()
  return (
    <search className="mb-4 flex flex-wrap items-end gap-4">
      <SearchField placeholder={t`Id, token, e-mail, address (Ctrl+K)`} />
      <FilterSelect
        name="status"
        label={t`Status`}
        className="w-44"
        options={[
          { value: 'pending', label: t`pending` },
          { value: 'approved', label: t`approved` },
          { value: 'rejected', label: t`rejected` },
        ]}
      />
      <FilterCheckbox name="deleted">
        <Trans>With deleted ones</Trans>
      </FilterCheckbox>
    </search>
  )
}

function useColumns(onAsk: (asked: Asked) => void, selection: Selection): Column<OperatorOrder, Sort>[] {
  return [useMarkColumn(selection), ...useFactColumns(), useActionsColumn(onAsk)]
}

function useMarkColumn(selection: Selection): Column<OperatorOrder, Sort> {
  const { t } = useLingui()
  return {
    label: t`Mark`,
    unlabelled: true,
    head: (
      <Checkbox
        labelHidden
        checked={selection.hasAllShown}
        disabled={!selection.canMarkShown}
        onCheckedChange={selection.markShown}
      >
        <Trans>Mark all on this page</Trans>
      </Checkbox>
    ),
    cell: (order) => (
      <Checkbox
        labelHidden
        checked={selection.has(order.id)}
        disabled={!canApprove(order)}
        onCheckedChange={() => selection.toggle(order)}
      >
        <Trans>Mark order {order.id}</Trans>
      </Checkbox>
    ),
  }
}

function useActionsColumn(onAsk: (asked: Asked) => void): Column<OperatorOrder, Sort> {
  const { t } = useLingui()
  return { label: t`Actions`, actions: true, cell: (order) => <Actions order={order} onAsk={onAsk} /> }
}

function useFactColumns(): Column<OperatorOrder, Sort>[] {
  const { t } = useLingui()
  const symbol = useSymbol()
  return [
    {
      label: t`ID`,
      cell: ({ id }) => <OrderLink id={id} strong />,
    },
    {
      label: t`Order Token`,
      cell: ({ id, token }) => <ShortCode text={token} what={t`Copy the token of order ${id}`} />,
    },
    {
      label: t({ message: 'Change value', context: 'what the order changes into tokens' }),
      numeric: true,
      cell: ({ cryptoAmount, currency }) => (
        <TokenAmount value={cryptoAmount} unit={currency.toUpperCase()} />
      ),
    },
    {
      label: t`Address`,
      cell: ({ id, address }) => <ShortCode text={address} what={t`Copy the address of order ${id}`} />,
    },
    {
      label: t`Email`,
      cell: ({ userId, email, userReference }) => (
        <Link
          to={paths.user(userId)}
          title={email}
          className="inline-block max-w-28 truncate 2xl:max-w-64 max-sm:max-w-56 align-bottom hover:underline"
        >
          {email || userReference}
        </Link>
      ),
    },
    {
      label: t`Amount to Receive`,
      numeric: true,
      cell: ({ receiveTokens }) => <TokenAmount value={receiveTokens} unit={symbol} />,
    },
    { label: t`Status`, sort: 'status', cell: ({ status }) => <OrderStatusBadge status={status} /> },
    {
      label: t`Created At`,
      sort: 'created',
      headClassName: 'whitespace-nowrap',
      cell: ({ createdAt }) => <Moment value={createdAt} />,
    },
    {
      label: t`Updated At`,
      sort: 'updated',
      headClassName: 'whitespace-nowrap',
      cell: ({ updatedAt }) => <Moment value={updatedAt} />,
    },
  ]
}

function Actions({ order, onAsk }: { order: OperatorOrder; onAsk: (asked: Asked) => void }) {
  const { t } = useLingui()
  const refusal = useDecisionRefusal()
  const { id } = order
  return (
    <span className="flex justify-end">
      <MoreMenu
        label={t`Actions for order ${id}`}
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

import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { type MouseEvent, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { exportPaths } from '../../../shared/api/audit.ts'
import { type OperatorOrder, operatorOrderRoutes } from '../../../shared/api/orders.ts'
import { ColumnChooser, useColumnChoice } from '../../area/ColumnChooser.tsx'
import type { Column } from '../../area/DataTable.tsx'
import { useListKeys } from '../../area/keyboard.ts'
import { List, useList } from '../../area/List.tsx'
import { Page } from '../../area/Page.tsx'
import { MoreMenu, RowActions, RowButton } from '../../area/RowActions.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { buttonLook } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { useMedia } from '../../ui/media.ts'
import { ExportLink } from '../ExportLink.tsx'
import { paths } from '../paths.ts'
import { useOperatorZone } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { ApproveMany } from './ApproveMany.tsx'
import { type Asked, DecideOrder, type Decision, useDecisionRefusal } from './DecideOrder.tsx'
import { OrderBeside } from './OrderBeside.tsx'
import { OrderFilters } from './OrderFilters.tsx'
import { OrderTabs } from './OrderTabs.tsx'
import {
  type OptionalColumn,
  type OrderSort,
  optionalColumns,
  useHiddenColumns,
  useNarrowColumns,
  useOptionalColumns,
} from './order-columns.tsx'
import { type OrderFilters as Filters, filtersOf } from './order-filters.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { useSavedFilters } from './saved-filters.ts'
import { canApprove, type Selection, useSelection } from './selection.ts'

const pageSize = 10

export function OrdersPage() {
  const { t } = useLingui()
  const url = useUrlState()
  const [asked, setAsked] = useState<Asked>()
  const sort = (url.get('sort') as OrderSort | undefined) ?? 'created'
  const direction = url.get('direction') === 'asc' ? 'asc' : 'desc'
  const filters = filtersOf(url.get, useOperatorZone())
  const list = useList(operatorOrderRoutes.list, { ...filters, sort, direction, limit: pageSize })
  const rows = list.page?.items ?? []
  const selection = useSelection({ ...filters, sort, direction }, rows)
  // The reviewed orders stay listed while they change one by one.
  const [reviewed, setReviewed] = useState<readonly OperatorOrder[]>()
  const review = () => setReviewed(selection.orders)
  const saved = useSavedFilters()
  const choice = useColumnChoice('operator:order-columns', optionalColumns, useHiddenColumns())
  const opened = useOpened()
  useOrderKeys(rows, selection, { ask: setAsked, review, open: useOpenOrder(opened) })
  return (
    <Page title={t`All Transactions`} action={<ListActions filters={filters} choice={choice} />}>
      <OrderTabs saved={saved} />
      <OrderFilters saved={saved} />
      <div
        className={opened.id ? 'grid items-start gap-8 grid-cols-[minmax(0,30rem)_minmax(0,1fr)]' : undefined}
      >
        <div className="min-w-0">
          <OrderList
            list={list}
            selection={selection}
            opened={opened}
            choice={choice}
            onAsk={setAsked}
            sorting={{
              by: sort,
              direction,
              onSort: (next) =>
                url.set({ sort: next, direction: next === sort && direction === 'desc' ? 'asc' : 'desc' }),
            }}
          />
          <SelectionBar selection={selection} onReview={review} />
        </div>
        {opened.id ? <OrderBeside id={opened.id} onClose={() => opened.open(undefined)} /> : null}
      </div>
      {reviewed ? (
        <ApproveMany
          orders={reviewed}
          onClose={(ended) => {
            setReviewed(undefined)
            selection.mark(ended, false)
          }}
        />
      ) : null}
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

function ListActions({ filters, choice }: { filters: Filters; choice: ColumnChoice }) {
  return (
    <>
      <Link to={paths.approved} className={buttonLook({ variant: 'secondary', size: 'sm' })}>
        <Trans>Approved Transactions</Trans>
      </Link>
      <ColumnChooser columns={useOptionalColumns()} choice={choice} />
      <ExportLink path={exportPaths.transactions} query={filters} />
    </>
  )
}

type ColumnChoice = ReturnType<typeof useColumnChoice<OptionalColumn>>

function useOpened() {
  const [params, setParams] = useSearchParams()
  const location = useLocation()
  const isWide = useMedia('(min-width: 80rem)')
  const asked = Number(params.get('open'))
  const open = (id: number | undefined) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (id) after.set('open', String(id))
        else after.delete('open')
        return after
      },
      // Keeps the position in the list and the way back.
      { replace: true, preventScrollReset: true, state: location.state },
    )
  return { id: isWide && Number.isInteger(asked) && asked > 0 ? asked : undefined, open, isWide }
}

type Opened = ReturnType<typeof useOpened>

/** Beside the list on wide screens, else on its own page. */
function useOpenOrder({ isWide, open }: Opened) {
  const navigate = useNavigate()
  return (id: string) => (isWide ? open(Number(id)) : void navigate(paths.order(id)))
}

function OrderList({
  list,
  selection,
  opened,
  choice,
  onAsk,
  sorting,
}: {
  list: ReturnType<typeof useList<typeof operatorOrderRoutes.list>>
  selection: Selection
  opened: Opened
  choice: ColumnChoice
  onAsk: (asked: Asked) => void
  sorting: { by: OrderSort; direction: 'asc' | 'desc'; onSort: (by: OrderSort) => void }
}) {
  const { t } = useLingui()
  const hasSearch = Boolean(useUrlState().get('search'))
  const optional = useOptionalColumns()
  const idCell = (order: OperatorOrder) => <OpenLink id={order.id} opened={opened} />
  const narrow = useNarrowColumns(idCell)
  const mark = useMarkColumn(selection)
  const actions: Column<OperatorOrder, OrderSort> = {
    label: t`Actions`,
    actions: true,
    cell: (order) => <Actions order={order} onAsk={onAsk} />,
  }
  const facts = [
    { label: t`ID`, cell: idCell },
    ...optionalColumns.filter(choice.isShown).map((name) => optional[name]),
  ]
  const isCutShort = list.page?.next != null && list.page.items.length < pageSize
  return (
    <>
      <List
        list={list}
        loading={t`Loading transactions...`}
        empty={
          isCutShort
            ? t`No match in the 4,000 orders looked through.`
            : hasSearch
              ? t`No results. Ids, order tokens, transaction ids and the beginnings of e-mails and addresses are searched, among the orders that the tab and the filters leave.`
              : t`No results.`
        }
        caption={t`All Transactions`}
        columns={[mark, ...(opened.id ? narrow : [...facts, actions])]}
        keyOf={({ id }) => id}
        rowClassName={({ id, hidden }) => (id === opened.id ? 'bg-sunk' : hidden ? 'text-soft' : undefined)}
        className={cx(
          'sm:text-[0.8125rem] [&_td]:sm:px-1 [&_th]:sm:px-1',
          // Keeps the buttons visible, however wide the amounts are.
          !opened.id &&
            '[&_td:last-child]:sm:sticky [&_td:last-child]:sm:right-0 [&_td:last-child]:sm:bg-paper',
        )}
        sorting={sorting}
      />
      {isCutShort ? (
        <p className="mt-2 text-sm text-soft">
          <Trans>
            4,000 orders were looked through; Next goes on from there, and the export looks at all.
          </Trans>
        </p>
      ) : null}
    </>
  )
}

function OpenLink({ id, opened }: { id: number; opened: Opened }) {
  const openBeside = (event: MouseEvent) => {
    if (!opened.isWide || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    opened.open(id)
  }
  return (
    <Link
      className="figures font-semibold underline underline-offset-2"
      to={paths.order(id)}
      onClick={openBeside}
      aria-current={id === opened.id || undefined}
    >
      {id}
    </Link>
  )
}

function useOrderKeys(
  rows: readonly OperatorOrder[],
  selection: Selection,
  { ask, review, open }: { ask: (asked: Asked) => void; review: () => void; open: (id: string) => void },
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
    Enter: (row) => {
      if (row) open(row)
    },
  })
}

function useMarkColumn(selection: Selection): Column<OperatorOrder, OrderSort> {
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

function Actions({ order, onAsk }: { order: OperatorOrder; onAsk: (asked: Asked) => void }) {
  const { t } = useLingui()
  const refusal = useDecisionRefusal()
  const { id } = order
  const asking = (decision: Decision) => ({
    onSelect: () => onAsk({ decision, order }),
    disabledReason: refusal(decision, order),
  })
  return (
    <RowActions>
      {canApprove(order) ? (
        <RowButton
          aria-label={t`Approve order ${id}`}
          disabledReason={refusal('approve', order)}
          onClick={() => onAsk({ decision: 'approve', order })}
        >
          <Trans>Approve</Trans>
        </RowButton>
      ) : null}
      <MoreMenu
        label={t`Actions for order ${id}`}
        actions={[
          { label: t`Approve payment`, ...asking('approve') },
          { label: t`Reject payment`, danger: true, ...asking('reject') },
          { label: t`Delete`, danger: true, ...asking('hide') },
        ]}
      />
    </RowActions>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import type { Overview } from '../../../shared/api/overview.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Figure, Figures, Page } from '../../area/Page.tsx'
import { Raised } from '../../area/Raised.tsx'
import { TimeChart } from '../../charts/TimeChart.tsx'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { Count, DateTime, formatDollars, Money, RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { AttentionList } from '../Attention.tsx'
import { PauseSwitch } from '../PauseSwitch.tsx'
import { paths } from '../paths.ts'
import { overviewQuery } from '../queries.ts'

/** What waits, what came in, the last 30 days, and the switch that pauses the sale. */
export function OverviewPage() {
  const { t } = useLingui()
  const query = useQuery(overviewQuery)
  return (
    <Page title={t`Overview`} action={<PauseSwitch />}>
      <AttentionList />
      <Loaded query={query}>
        {(overview) => (
          <>
            <Waiting overview={overview} />
            {overview.orders ? (
              <>
                <Received orders={overview.orders} />
                <LastDays days={overview.orders.days} />
              </>
            ) : (
              <p className="py-6 text-soft">
                <Trans>Orders and figures are not for your role.</Trans>
              </p>
            )}
            <p className="pt-4 text-sm text-faint">
              <LastDrill drill={overview.backupDrill} />{' '}
              <Trans>
                Read <RelativeTime value={overview.computedAt} />
              </Trans>
            </p>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Whether the backups can be counted on: a backup that nobody has restored is none yet. */
function LastDrill({ drill }: { drill: Overview['backupDrill'] }) {
  if (!drill) return <Trans>No backup has been restored on trial yet (npm run backup:drill).</Trans>
  return (
    <Trans>
      A backup was last restored on trial on <DateTime value={drill.workedAt} />.
    </Trans>
  )
}

function Waiting({ overview: { orders, users } }: { overview: Overview }) {
  const { t } = useLingui()
  if (!orders && !users) return null
  return (
    <Figures>
      {orders ? (
        <Figure
          label={t`Orders waiting`}
          note={
            orders.oldestWaitingAt ? (
              <>
                {t`oldest`} <RelativeTime value={orders.oldestWaitingAt} />
              </>
            ) : undefined
          }
        >
          <Link
            className="underline-offset-4 hover:underline"
            to={`${paths.orders}?status=pending&sort=created&direction=asc`}
          >
            <Count value={orders.waiting} />
          </Link>
        </Figure>
      ) : null}
      {orders ? (
        <Figure label={t`Of these, with a payment to look at`}>
          <Count value={orders.waitingWithPayment} />
        </Figure>
      ) : null}
      {orders ? <Raised raised={orders} /> : null}
      {users ? (
        <Figure label={t`Users`} note={<Trans>{users.today} registered today</Trans>}>
          <Count value={users.total} />
        </Figure>
      ) : null}
    </Figures>
  )
}

type Orders = NonNullable<Overview['orders']>

function Received({ orders }: { orders: Orders }) {
  const { t } = useLingui()
  return (
    <Band title={t`Received by currency`} lead={t`Amounts of approved orders.`} className="mt-6">
      <DataTable
        caption={t`Received by currency`}
        rows={orders.received}
        keyOf={({ currency }) => currency}
        empty={t`Nothing was approved yet.`}
        columns={[
          {
            label: t`Currency`,
            cell: ({ currency }) => (
              <span className="flex items-center gap-2">
                <CoinIcon code={currency} className="size-5" />
                {currency}
              </span>
            ),
          },
          { label: t`Amount`, numeric: true, cell: ({ amount }) => <TokenAmount value={amount} /> },
          { label: t`Dollars`, numeric: true, cell: ({ usd }) => <Money value={usd} /> },
          { label: t`Orders`, numeric: true, cell: (row) => <Count value={row.orders} /> },
        ]}
      />
    </Band>
  )
}

function LastDays({ days }: { days: Orders['days'] }) {
  const { t, i18n } = useLingui()
  const last = days.at(-1)
  const count = (value: string) => new Intl.NumberFormat(i18n.locale).format(Number(value))
  return (
    <Band
      title={t`Last 30 days`}
      lead={
        last ? (
          <Trans>
            Days by UTC, up to <DateTime value={`${last.day}T00:00:00Z`} part="date" timeZone="UTC" />
          </Trans>
        ) : undefined
      }
    >
      <div className="grid gap-8 lg:grid-cols-3">
        <Chart
          title={t`Raised, net of reversals`}
          desc={t`Dollars of approved orders for each of the last 30 days`}
          points={days.map(({ day, raisedUsd }) => ({ day, value: raisedUsd }))}
          format={(value) => formatDollars(value, i18n.locale)}
        />
        <Chart
          title={t`Orders made`}
          desc={t`Orders for each of the last 30 days`}
          points={days.map(({ day, orders }) => ({ day, value: String(orders) }))}
          format={count}
        />
        <Chart
          title={t`Registrations`}
          desc={t`New users for each of the last 30 days`}
          points={days.map(({ day, registrations }) => ({ day, value: String(registrations) }))}
          format={count}
        />
      </div>
    </Band>
  )
}

function Chart(chart: ComponentProps<typeof TimeChart>) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-sm text-soft">{chart.title}</h3>
      <TimeChart {...chart} />
    </div>
  )
}

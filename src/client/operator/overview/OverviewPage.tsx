import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Overview } from '../../../shared/api/overview.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Figure, Figures, Page } from '../../area/Page.tsx'
import { Raised } from '../../area/Raised.tsx'
import { useNow } from '../../ui/clock.ts'
import { Count, DateTime, RelativeTime } from '../../ui/numbers.tsx'
import { SoftCapWait } from '../../ui/SoftCapWait.tsx'
import { AttentionList } from '../Attention.tsx'
import { DoctorPart } from '../DoctorPart.tsx'
import { OrderLink } from '../OrderLink.tsx'
import { EventName, useActorName } from '../order-events.tsx'
import { PauseSwitch } from '../PauseSwitch.tsx'
import { paths } from '../paths.ts'
import { overviewQuery, usePublicCampaign } from '../queries.ts'
import { RangePart } from './RangePart.tsx'
import { dayOf, usersBetween } from './range.ts'

export function OverviewPage() {
  const { t } = useLingui()
  const query = useQuery(overviewQuery)
  return (
    <Page title={t`Overview`} action={<PauseSwitch />}>
      <AttentionList />
      <SoftCap />
      <Loaded query={query}>
        {(overview) => (
          <>
            <Waiting overview={overview} />
            {overview.orders ? (
              <>
                <RangePart />
                <LastEvents events={overview.orders.events} />
              </>
            ) : (
              <p className="py-6 text-soft">
                <Trans>Orders and figures are not for your role.</Trans>
              </p>
            )}
            <DoctorPart />
            <p className="pt-4 text-sm text-faint">
              <LastDrill drill={overview.backupDrill} /> <LastRemoval at={overview.retentionDoneAt} />{' '}
              <Trans>
                Updated <RelativeTime value={overview.computedAt} />
              </Trans>
            </p>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function SoftCap() {
  const campaign = usePublicCampaign()
  if (!campaign?.softCapWaitsFor) return null
  return (
    <Band title={<Trans>Soft cap</Trans>}>
      <p className="text-soft">
        <SoftCapWait waitsFor={campaign.softCapWaitsFor} moment={(iso) => <DateTime value={iso} />} />
      </p>
    </Band>
  )
}

function LastDrill({ drill }: { drill: Overview['backupDrill'] }) {
  if (!drill) return <Trans>No backup has been restored on trial yet.</Trans>
  return (
    <Trans>
      A backup was last restored on trial on <DateTime value={drill.workedAt} />.
    </Trans>
  )
}

/** Shows the last removal of expired data, which the privacy page promises. */
function LastRemoval({ at }: { at: Overview['retentionDoneAt'] }) {
  if (at === null) return <Trans>Data older than its period has not been removed yet.</Trans>
  return (
    <Trans>
      Data older than its period was last removed on <DateTime value={at} />.
    </Trans>
  )
}

function Waiting({ overview: { orders, users } }: { overview: Overview }) {
  const { t } = useLingui()
  const today = dayOf(useNow(60_000))
  if (!orders && !users) return null
  return (
    <Figures>
      {orders ? (
        <Figure label={t`Orders waiting`} note={<Ages orders={orders} />}>
          <Link
            className="underline-offset-4 hover:underline"
            to={`${paths.orders}?view=waiting&direction=asc`}
          >
            <Count value={orders.waiting} />
          </Link>
        </Figure>
      ) : null}
      {orders ? (
        <Figure
          label={t`With a payment to look at`}
          note={
            <>
              <Link
                className="mr-3 underline underline-offset-2"
                to={`${paths.orders}?view=with_transaction_id`}
              >
                <Trans>With a transaction id</Trans>
              </Link>
              <Link className="underline underline-offset-2" to={`${paths.orders}?view=seen`}>
                <Trans>Seen on chain</Trans>
              </Link>
            </>
          }
        >
          <Count value={orders.waitingWithPayment} />
        </Figure>
      ) : null}
      {orders ? <Raised raised={orders} ordersBy={approvedBy} /> : null}
      {users ? (
        <Figure
          label={t`Users`}
          note={
            <Link
              className="underline underline-offset-2"
              to={`${paths.users}?${usersBetween(today, today)}`}
            >
              <Trans>{users.today} registered today</Trans>
            </Link>
          }
        >
          <Link className="underline-offset-4 hover:underline" to={paths.users}>
            <Count value={users.total} />
          </Link>
        </Figure>
      ) : null}
    </Figures>
  )
}

/** Links to the approved orders, deleted ones included, that make up the sum. */
const approvedBy = (way?: 'chain' | 'operator') =>
  `${paths.orders}?${new URLSearchParams({ status: 'approved', deleted: 'yes', ...(way ? { via: way } : {}) })}`

type Orders = NonNullable<Overview['orders']>

function Ages({ orders: { waitingAges, oldestWaitingAt } }: { orders: Orders }) {
  const { t } = useLingui()
  const now = useNow(60_000)
  const at = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
  const ages: { label: string; count: number; search: string[][] }[] = [
    { label: t`under an hour`, count: waitingAges.hour, search: [['from', at(1)]] },
    {
      label: t`under a day`,
      count: waitingAges.day,
      search: [
        ['from', at(24)],
        ['to', at(1)],
      ],
    },
    { label: t`older`, count: waitingAges.older, search: [['to', at(24)]] },
  ]
  return (
    <>
      {ages
        .filter(({ count }) => count > 0)
        .map(({ label, count, search }) => (
          <Link
            key={label}
            className="mr-3 inline-block underline underline-offset-2"
            to={`${paths.orders}?${new URLSearchParams([['view', 'waiting'], ['direction', 'asc'], ...search])}`}
          >
            {label}: <Count value={count} />
          </Link>
        ))}
      {oldestWaitingAt ? (
        <span className="block">
          {t`oldest`} <RelativeTime value={oldestWaitingAt} />
        </span>
      ) : null}
    </>
  )
}

function LastEvents({ events }: { events: Orders['events'] }) {
  const { t } = useLingui()
  const actorName = useActorName()
  return (
    <Band title={t`Last events`} lead={t`The last events of orders, and who did it.`}>
      <DataTable
        caption={t`Last events`}
        rows={events}
        keyOf={(_, index) => index}
        empty={t`No events yet.`}
        columns={[
          { label: t`When`, cell: ({ at }) => <RelativeTime value={at} /> },
          { label: t`Order`, cell: ({ orderId }) => <OrderLink id={orderId} /> },
          { label: t`What`, cell: ({ kind }) => <EventName kind={kind} /> },
          { label: t`Who`, cell: ({ actor }) => actorName(actor) },
        ]}
      />
    </Band>
  )
}

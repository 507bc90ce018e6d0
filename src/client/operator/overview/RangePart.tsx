import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type OverviewRange, overviewRoutes } from '../../../shared/api/overview.ts'
import { add } from '../../../shared/money.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { useUrlState } from '../../area/url-state.ts'
import { type Bar, BarList } from '../../charts/BarList.tsx'
import { evenly, type Stage } from '../../charts/line-to-goal.ts'
import { RaisedChart } from '../../charts/RaisedChart.tsx'
import { TimeChart } from '../../charts/TimeChart.tsx'
import { Button } from '../../ui/Button.tsx'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { useNow } from '../../ui/clock.ts'
import { Field, Input } from '../../ui/Field.tsx'
import { Count, formatDollars, formatMoment, Money, TokenAmount } from '../../ui/numbers.tsx'
import { Notice } from '../../ui/states.tsx'
import { paths } from '../paths.ts'
import { usePublicCampaign } from '../queries.ts'
import { CsvButton } from './CsvButton.tsx'
import {
  chosenDays,
  dayAfter,
  dayOf,
  fromFirst,
  type Named,
  namedStarts,
  ordersBetween,
  raisedParts,
  raisedSoFar,
  totalOf,
  usersBetween,
} from './range.ts'

export function RangePart() {
  const stages = usePublicCampaign()?.stages ?? []
  const range = useRange(stages)
  const { from, to } = range
  // An end typed first may precede the old start.
  const isBackwards = from > to
  const query = useQuery({
    ...read(overviewRoutes.range, { query: { from, to } }),
    enabled: !isBackwards,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <>
      <RangeBar {...range} />
      {isBackwards ? (
        <Notice tone="danger">
          <Trans>The last day is before the first one. Choose one that is not.</Trans>
        </Notice>
      ) : (
        <Loaded query={query}>
          {(counted) => (
            <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
              <Growth range={counted} stages={stages} />
              <div className="grid gap-x-10 lg:grid-cols-2">
                <Funnel range={counted} />
                <Currencies range={counted} />
              </div>
              <Days range={counted} />
            </div>
          )}
        </Loaded>
      )}
    </>
  )
}

function useRange(stages: readonly Stage[]) {
  const url = useUrlState()
  const now = useNow(60_000)
  const today = dayOf(now)
  const starts = namedStarts(today, stageStart(stages, now))
  return { ...chosenDays(starts, today, url.get), starts }
}

function stageStart(stages: readonly Stage[], now: number): string | undefined {
  const begun = stages.filter(({ startsAt }) => Date.parse(startsAt) <= now)
  const last = begun.toSorted((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt)).at(-1)
  return last && dayOf(Date.parse(last.startsAt))
}

function RangeBar({ from, to, starts, named }: ReturnType<typeof useRange>) {
  const { t } = useLingui()
  const url = useUrlState()
  const names: Record<Named, string> = {
    today: t`Today`,
    week: t`7 days`,
    month: t`30 days`,
    stage: t`Stage`,
  }
  return (
    <div className="flex flex-wrap items-end gap-3 border-t border-line pt-6 pb-5">
      <div className="flex flex-wrap gap-2">
        {(Object.keys(starts) as Named[]).map((name) => (
          <Button
            key={name}
            variant={name === named ? 'primary' : 'secondary'}
            size="sm"
            aria-pressed={name === named}
            onClick={() => url.set({ range: name, from: null, to: null })}
          >
            {names[name]}
          </Button>
        ))}
      </div>
      <Field label={t`From`} className="w-40">
        <Input
          type="date"
          value={from}
          max={to}
          onChange={(event) => url.set({ from: event.target.value, to, range: null })}
        />
      </Field>
      <Field label={t`To`} className="w-40">
        <Input
          type="date"
          value={to}
          min={from}
          onChange={(event) => url.set({ from, to: event.target.value, range: null })}
        />
      </Field>
      <p className="pb-3 text-sm text-faint">
        <Trans>Days begin at midnight UTC, as the ledger's totals do.</Trans>
      </p>
    </div>
  )
}

function usePartsInWords() {
  const { t, i18n } = useLingui()
  return (chain: string, operator: string) => {
    const onChain = formatDollars(chain, i18n.locale)
    const byOperator = formatDollars(operator, i18n.locale)
    return t`${onChain} confirmed on chain, ${byOperator} approved by an operator`
  }
}

/** Against goal and time. */
function Growth({ range, stages }: { range: OverviewRange; stages: readonly Stage[] }) {
  const { t, i18n } = useLingui()
  const clock = useNow(60_000)
  const points = raisedSoFar(range)
  const total = points.at(-1)?.value ?? range.raisedBeforeUsd
  const shown = fromFirst(points)
  const now = Math.min(Date.parse(dayAfter(range.to)), clock)
  const dollars = (value: string) => formatDollars(value, i18n.locale)
  const raised = dollars(total)
  const parts = raisedParts(range)
  const partsInWords = usePartsInWords()
  const onChain = dollars(parts.onChain)
  const byOperator = dollars(parts.byOperator)
  const even = dollars(String(Math.round(evenly(stages, now))))
  return (
    <Band
      title={t`Raised against goal and time`}
      lead={t`Raised ${raised} by the end of these days, ${onChain} confirmed on chain and ${byOperator} approved by an operator, from the ledger; each step is a day, at the sum with which it ended. A straight line to each stage's goal (dashed) would stand at ${even}.`}
      action={
        <CsvButton
          name={`raised-${range.from}-${range.to}`}
          of={t`Raised against goal and time`}
          rows={[
            ['day_utc', 'on_chain_usd', 'by_operator_usd', 'raised_so_far_usd'],
            ...range.days.map((day, index) => [
              day.day,
              day.raisedOnChainUsd,
              day.raisedByOperatorUsd,
              points[index]?.value ?? '',
            ]),
          ]}
        />
      }
    >
      <RaisedChart
        points={shown.map(({ onChain: chain, byOperator: operator, ...point }) => ({
          ...point,
          parts: partsInWords(chain, operator),
        }))}
        before={shown.length === points.length ? range.raisedBeforeUsd : '0'}
        until={now}
        stages={stages}
        title={t`Raised so far`}
        desc={t`Dollars of approved orders, added up: each step is a day, at the sum with which it ended. The straight dashed line leads to the goal.`}
      />
    </Band>
  )
}

const linked = 'underline underline-offset-2'

function useSteps({ days, from, to }: OverviewRange): { key: string; label: ReactNode; count: number }[] {
  const { t } = useLingui()
  return [
    {
      key: 'page_views',
      label: t`Views of public pages`,
      count: totalOf(days, ({ pageViews }) => pageViews),
    },
    {
      key: 'registrations',
      label: (
        <Link className={linked} to={`${paths.users}?${usersBetween(from, to)}`}>
          <Trans>Registrations</Trans>
        </Link>
      ),
      count: totalOf(days, ({ registrations }) => registrations),
    },
    {
      key: 'orders',
      label: (
        <Link className={linked} to={`${paths.orders}?${ordersBetween(from, to)}`}>
          <Trans>Orders made</Trans>
        </Link>
      ),
      count: totalOf(days, ({ orders }) => orders),
    },
    {
      key: 'paid',
      label: (
        <Link className={linked} to={`${paths.orders}?${ordersBetween(from, to, { status: 'approved' })}`}>
          <Trans>Approved by now</Trans>
        </Link>
      ),
      count: totalOf(days, ({ paidOrders }) => paidOrders),
    },
  ]
}

/** By the server's own counts. */
function Funnel({ range }: { range: OverviewRange }) {
  const { t, i18n } = useLingui()
  const { days, from, to, countedSince: since } = range
  const countedSince =
    since && formatMoment(`${since}T00:00:00Z`, i18n.locale, { part: 'date', timeZone: 'UTC' })
  const steps = useSteps(range)
  const bars: Bar[] = steps.map(({ key, label, count }) => ({
    key,
    label,
    figure: <Count value={count} />,
    value: String(count),
  }))
  return (
    <Band
      title={t`From a view to a paid order`}
      lead={
        since && since <= from
          ? t`Own counts of this server. Views count the pages sent, robots and reloads included: they are not people.`
          : countedSince
            ? t`Own counts of this server. Views count the pages sent, robots and reloads included, and only since ${countedSince}.`
            : t`Own counts of this server. No views have been counted yet.`
      }
      action={
        <CsvButton
          name={`funnel-${from}-${to}`}
          of={t`From a view to a paid order`}
          rows={[
            ['day_utc', 'page_views', 'registrations', 'orders', 'approved_by_now'],
            ...days.map((day) => [day.day, day.pageViews, day.registrations, day.orders, day.paidOrders]),
          ]}
        />
      }
    >
      <BarList bars={bars} />
      <p className="mt-3 text-sm text-faint">
        <Trans>Views are counts alone and lead to no list: nothing else of them is kept.</Trans>
      </p>
    </Band>
  )
}

function Currencies({ range: { received, from, to } }: { range: OverviewRange }) {
  const { t } = useLingui()
  return (
    <Band
      title={t`Received by currency`}
      lead={t`Orders made in these days and approved by now.`}
      action={
        <CsvButton
          name={`currencies-${from}-${to}`}
          of={t`Received by currency`}
          rows={[
            ['currency', 'amount', 'usd', 'orders'],
            ...received.map(({ currency, amount, usd, orders }) => [currency, amount, usd, orders]),
          ]}
        />
      }
    >
      {received.length === 0 ? (
        <p className="text-soft">
          <Trans>No approvals yet.</Trans>
        </p>
      ) : (
        <BarList
          bars={received.map(({ currency, amount, usd }) => ({
            key: currency,
            value: usd,
            label: (
              <Link
                className={`inline-flex items-center gap-2 ${linked}`}
                to={`${paths.orders}?${ordersBetween(from, to, { status: 'approved', currency })}`}
              >
                <CoinIcon code={currency} className="size-5" />
                {currency}
              </Link>
            ),
            figure: (
              <>
                <TokenAmount value={amount} className="mr-3 text-sm text-soft" />
                <Money value={usd} />
              </>
            ),
          }))}
        />
      )}
    </Band>
  )
}

function Days({ range }: { range: OverviewRange }) {
  const { t, i18n } = useLingui()
  const { days, from, to } = range
  const parts = raisedParts(range, { inThem: true })
  const partsInWords = usePartsInWords()
  const count = (value: string) => new Intl.NumberFormat(i18n.locale).format(Number(value))
  const charts = [
    {
      key: 'raised',
      title: t`Raised, net of reversals`,
      desc: t`Dollars of approved orders by day`,
      points: days.map((day) => ({
        day: day.day,
        value: add(day.raisedOnChainUsd, day.raisedByOperatorUsd),
        parts: partsInWords(day.raisedOnChainUsd, day.raisedByOperatorUsd),
      })),
      format: (value: string) => formatDollars(value, i18n.locale),
      note: (
        <Trans>
          <Money value={parts.onChain} /> confirmed on chain, <Money value={parts.byOperator} /> approved by
          an operator
        </Trans>
      ),
    },
    {
      key: 'orders',
      title: t`Orders made`,
      desc: t`Orders by day`,
      points: days.map((day) => ({ day: day.day, value: String(day.orders) })),
      format: count,
      note: null,
    },
    {
      key: 'registrations',
      title: t`Registrations`,
      desc: t`New users by day`,
      points: days.map((day) => ({ day: day.day, value: String(day.registrations) })),
      format: count,
      note: null,
    },
  ]
  return (
    <Band title={t`Day by day`}>
      <div className="grid gap-8 lg:grid-cols-3">
        {charts.map(({ key, points, note, ...chart }) => (
          <div key={key} className="min-w-0">
            <div className="mb-2 flex items-center justify-between">
              <h3 className="text-sm text-soft">
                {chart.title}
                {note ? <span className="block text-xs">{note}</span> : null}
              </h3>
              <CsvButton
                name={`${key}-${from}-${to}`}
                of={chart.title}
                rows={[['day_utc', key], ...points.map(({ day, value }) => [day, value])]}
              />
            </div>
            <TimeChart {...chart} points={fromFirst(points)} />
          </div>
        ))}
      </div>
    </Band>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowRight, LogOut, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { Holdings } from '../../../shared/api/holdings.ts'
import { both, Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { Band, Figure, Figures, Page } from '../../area/Page.tsx'
import { Raised } from '../../area/Raised.tsx'
import { evenly } from '../../charts/line-to-goal.ts'
import { RaisedChart } from '../../charts/RaisedChart.tsx'
import { Ito } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { remainingUntil, useNow } from '../../ui/clock.ts'
import { formatDollars, Money, Percent, RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { LevelProgress } from '../LevelProgress.tsx'
import { useCampaign, useHoldings } from '../queries.ts'
import { useLogOut, useSession } from '../session.ts'
import { OpenOrders } from './OpenOrders.tsx'
import { sumsOfDays } from './sums-of-days.ts'

type Settings = PublicCampaign['settings']

export function Overview() {
  const campaign = useCampaign()
  const logOut = useLogOut()
  return (
    <>
      {campaign.data ? <EndingSoon stage={campaign.data.stage} /> : null}
      <Page
        title={<Trans>Dashboard Overview</Trans>}
        lead={<Greeting />}
        action={
          <Button
            variant="secondary"
            className="max-sm:hidden"
            loading={logOut.isPending}
            onClick={() => logOut.mutate()}
          >
            <LogOut aria-hidden="true" className="size-4" />
            <Trans>Log out</Trans>
          </Button>
        }
      >
        <OpenOrders />
        <Loaded
          query={both(campaign, useHoldings())}
          skeleton={
            <>
              <Skeleton className="h-16 w-72" />
              <Skeleton className="mt-6 h-24 w-full" />
            </>
          }
        >
          {([{ settings }, own]) => (
            <>
              <Balance own={own} symbol={settings.symbol} />
              <OwnLevel own={own} settings={settings} />
            </>
          )}
        </Loaded>
        <Band title={<Trans>Tokensale Progress</Trans>} className="border-t-0! pt-8">
          <Loaded query={campaign} skeleton={<Skeleton className="h-40 w-full" />}>
            {(shown) => <SaleProgress campaign={shown} />}
          </Loaded>
        </Band>
      </Page>
    </>
  )
}

function Greeting() {
  const session = useSession()
  if (!session) return null
  return (
    <span className="flex flex-wrap gap-x-4">
      <bdi className="min-w-0 wrap-anywhere font-semibold text-ink">{session.name}</bdi>
      <span>
        <Trans>
          Registered <RelativeTime value={session.registeredAt} />
        </Trans>
      </span>
    </span>
  )
}

const noticeMs = 5_000
const dayMs = 24 * 3_600_000

/** Shown in the last 24 hours of the stage; it can be dismissed. */
function EndingSoon({ stage }: Pick<PublicCampaign, 'stage'>) {
  const { t } = useLingui()
  const [dismissed, setDismissed] = useState(false)
  const now = useNow(60_000)
  useEffect(() => {
    const timer = setTimeout(() => setDismissed(true), noticeMs)
    return () => clearTimeout(timer)
  }, [])
  if (dismissed || !stage || stage.state !== 'open') return null
  const left = remainingUntil(stage.endsAt, now)
  if (left.over || left.leftMs >= dayMs) return null
  const stageName = <LocalText text={stage.name} />
  return (
    <div
      role="status"
      className="mb-6 flex items-center gap-4 border-l-4 border-now bg-now-soft px-4 py-3 text-sm"
    >
      <p className="min-w-0 flex-1">
        <Trans>{stageName} ends in under 24 hours.</Trans>
      </p>
      <button
        type="button"
        aria-label={t`Dismiss`}
        onClick={() => setDismissed(true)}
        className={buttonLook({ variant: 'ghost', size: 'icon-sm' })}
      >
        <X className="size-4" />
      </button>
    </div>
  )
}

function Balance({ own, symbol }: { own: Holdings; symbol: string }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-6">
      <div className="min-w-0">
        <p className="text-sm text-faint">
          <Trans>Balance</Trans>
        </p>
        <p className="display mt-1 text-[clamp(3rem,2rem+5vw,5.5rem)] wrap-anywhere">
          <TokenAmount
            value={own.balanceTokens}
            unit={symbol}
            className="whitespace-normal! [font:inherit]! tracking-tight!"
          />
        </p>
        <p className="mt-2 text-soft">
          {own.usdtEquivalent === null ? (
            <>
              <Trans>Value at the sale price</Trans>: <Money value={own.valueAtSalePriceUsd} />
            </>
          ) : (
            <>
              <Trans>USDT equivalent</Trans>:{' '}
              <TokenAmount value={own.usdtEquivalent} decimalsMax={2} decimalsMin={2} unit="USDT" />
            </>
          )}
        </p>
      </div>
      <Link to={paths.buy} className={buttonLook({ variant: 'primary', size: 'lg' })}>
        <Trans>Buy {symbol}</Trans>
        <ArrowRight aria-hidden="true" className="size-5" />
      </Link>
    </div>
  )
}

function OwnLevel({ own, settings }: { own: Holdings; settings: Settings }) {
  const { t } = useLingui()
  const { levels } = settings
  // A buyer below the first level is on the way to it and already has its bonus.
  const isBelow = own.levelKey === own.nextLevelKey
  const rank = levels.findIndex((level) => level.key === own.levelKey)
  const levelName = <LocalText text={levels[rank]?.name ?? ''} />
  return (
    <section
      className="mt-8 flex flex-wrap items-center gap-x-8 gap-y-4 border-y border-line py-6"
      aria-label={t`Level`}
    >
      <Ito decorative rank={isBelow ? undefined : rank} levelCount={levels.length} className="h-28 w-auto" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="display text-3xl">
            {isBelow ? <Trans>On the way to {levelName}</Trans> : levelName}
          </span>
          <span className="text-soft">
            {isBelow ? (
              <Trans>
                an order has a bonus of at least <Percent value={own.bonusPercent} />
              </Trans>
            ) : (
              <Trans>
                bonus <Percent value={own.bonusPercent} />
              </Trans>
            )}
          </span>
        </p>
        <LevelProgress own={own} settings={settings} className="mt-3" />
      </div>
      <Link
        to={paths.status}
        className="text-sm font-medium text-accent-text underline underline-offset-4 max-sm:basis-full"
      >
        <Trans>All levels</Trans>
      </Link>
    </section>
  )
}

function SaleProgress({ campaign }: { campaign: PublicCampaign }) {
  const { stage, days } = campaign
  return (
    <>
      {stage ? (
        <StageProgress stage={stage} />
      ) : (
        <p className="text-soft">
          <Trans>No stage has been announced yet.</Trans>
        </p>
      )}
      {days.length > 0 ? <RaisedSoFar campaign={campaign} /> : null}
      <p className="mt-3 text-sm text-soft">
        <a href={paths.transparency} className="underline underline-offset-4 hover:text-ink">
          <Trans>Where these figures come from</Trans>
        </a>
      </p>
    </>
  )
}

function StageProgress({ stage }: { stage: NonNullable<PublicCampaign['stage']> }) {
  const { t } = useLingui()
  return (
    <>
      <ProgressBar
        className="h-5!"
        percent={stage.progressPercent}
        label={t`Tokensale Progress`}
        valueText={`${stage.progressPercent}%`}
      />
      <div className="mt-4">
        <Figures most={4}>
          <Figure label={<LocalText text={stage.name} />}>
            <Percent value={stage.progressPercent} />
          </Figure>
          <Raised raised={stage} />
          <Figure label={<Trans>Goal</Trans>}>
            <Money value={stage.goalUsd} whole />
          </Figure>
        </Figures>
      </div>
    </>
  )
}

/** The cumulative sum raised, against a straight line to each stage's goal. */
function RaisedSoFar({ campaign }: { campaign: PublicCampaign }) {
  const { t, i18n } = useLingui()
  const { stages } = campaign
  const now = Date.parse(campaign.serverTime)
  const { points, before } = sumsOfDays(campaign)
  const even = formatDollars(String(Math.round(evenly(stages, now))), i18n.locale)
  const title = t`Raised so far`
  const partsOf = (chain: string, operator: string) => {
    const onChain = formatDollars(chain, i18n.locale)
    const byOperator = formatDollars(operator, i18n.locale)
    return t`${onChain} confirmed on chain, ${byOperator} approved by an operator`
  }
  return (
    <div className="mt-6">
      <h3 className="text-sm text-faint">{title}</h3>
      <p className="mb-2 text-sm text-soft">
        <Trans>
          Each step is a day, at the sum with which it ended. A straight line to each stage's goal (dashed)
          would stand at {even} now.
        </Trans>
      </p>
      <RaisedChart
        points={points.map(({ day, value, onChain, byOperator }) => ({
          day,
          value,
          parts: partsOf(onChain, byOperator),
        }))}
        before={before}
        until={now}
        stages={stages}
        title={title}
        desc={t`Dollars of approved orders, added up, reversals taken off. The dashed line leads to the goal.`}
      />
    </div>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicStage } from '../../../shared/api/campaign.ts'
import { localPath, pickText } from '../../../shared/languages.ts'
import { divide, isPositive, multiply, roundDownTo, subtract } from '../../../shared/money.ts'
import { noTexts } from '../../../shared/texts.ts'
import { CrowdFigures, variantAt } from '../../ito/ItoCrowd.tsx'
import { countdown, dollars, moment, percent, wholeDollars } from '../figures.ts'
import { OperatorText, Sourced, useCampaign, usePage, usePath } from '../frame.tsx'
import { MayBeTakenBack, RaisedParts } from './RaisedParts.tsx'

export const crowdSize = 100

export function Hero() {
  const { campaign, locale } = usePage()
  const tagline = pickText(campaign?.settings.tagline ?? noTexts, locale)
  const { headline, rest } = splitTagline(tagline.text || (campaign?.settings.name ?? ''))
  return (
    <section
      id="top"
      aria-labelledby="top-title"
      data-island="hero"
      data-fragment={localPath(locale, '/fragments/hero')}
    >
      <div className="wrap grid grid-cols-1 gap-x-14 pt-5 pb-10 lg:grid-cols-[22rem_1fr] lg:grid-rows-[auto_1fr_auto] lg:pt-9 lg:pb-12">
        <h1
          id="top-title"
          lang={tagline.lang}
          className={`display lg:col-span-2 lg:mb-8 ${headlineSize(headline)}`}
        >
          {headline}
        </h1>
        <p
          lang={tagline.lang}
          className="mt-2 mb-5 text-soft empty:mt-0 lg:col-start-2 lg:row-start-2 lg:mt-0 lg:mb-3 lg:text-lg"
        >
          {rest}
        </p>
        <Crowd />
        <Ticket />
      </div>
    </section>
  )
}

/** A long headline is smaller. */
function headlineSize(headline: string): string {
  if (headline.length > 32) return 'text-title'
  const narrow = 'text-[clamp(2.75rem,1.25rem+7.4vw,9.5rem)] leading-[0.84]'
  return headline.length > 22 ? narrow : `${narrow} lg:text-[min(12vw,11rem)]`
}

function splitTagline(text: string): { headline: string; rest: string } {
  const end = /[.!?…]\s+/.exec(text)
  if (!end) return { headline: text, rest: '' }
  return { headline: text.slice(0, end.index + 1), rest: text.slice(end.index + end[0].length) }
}

/** The figures alone, for live updates. */
export function HeroFigures() {
  return (
    <>
      <Crowd />
      <Ticket />
    </>
  )
}

function kindAt(index: number, awake: number, waking: boolean): string {
  if (index < awake) return `a${variantAt(index)}`
  return index === awake && waking ? 'w' : 's'
}

/** The next figure is waking if part of its share is paid. */
function awakeOf({ raisedUsd, goalUsd }: PublicStage): { awake: number; isWaking: boolean } {
  const share = divide(goalUsd, String(crowdSize))
  const awake = Math.min(crowdSize, Number(roundDownTo(divide(raisedUsd, share), 0)))
  const isWaking = awake < crowdSize && isPositive(subtract(raisedUsd, multiply(share, String(awake))))
  return { awake, isWaking }
}

/** Each figure stands for an equal part of the stage's goal. */
function Crowd() {
  const { t } = useLingui()
  const { locale } = usePage()
  const { stage } = useCampaign()
  const { awake, isWaking } = stage ? awakeOf(stage) : { awake: 0, isWaking: false }
  const waking = isWaking ? 1 : 0
  const asleep = crowdSize - awake - waking
  const each = stage ? wholeDollars(divide(stage.goalUsd, String(crowdSize)), locale) : ''
  const label = stage
    ? t`${crowdSize} figures, each ${each} of the goal of ${pickText(stage.name, locale).text}. Awake, so paid for: ${awake}. Waking, paid for in part: ${waking}. Still asleep: ${asleep}.`
    : t`${crowdSize} figures, all asleep: no stage is announced yet.`
  return (
    <figure className="max-lg:mb-5 lg:col-start-2 lg:row-start-3 lg:self-end">
      <svg width="0" height="0" className="absolute" aria-hidden="true">
        <CrowdFigures id="i" />
      </svg>
      <div
        role="img"
        aria-label={label}
        data-live="crowd"
        className="grid grid-cols-[repeat(25,1fr)] border-b-2 border-ink lg:grid-cols-[repeat(20,1fr)] [&>svg]:h-auto [&>svg]:w-full [&>svg]:overflow-visible"
      >
        {Array.from({ length: crowdSize }, (_, index) => (
          // The figures never reorder.
          // oxlint-disable-next-line react/no-array-index-key
          <svg key={index} viewBox="0 0 52 104">
            <use href={`#i${kindAt(index, awake, isWaking)}`} />
          </svg>
        ))}
      </div>
      <figcaption
        data-live="crowd-caption"
        className="mt-2 flex flex-wrap justify-between gap-x-6 text-xs text-soft"
      >
        <span>
          {stage ? (
            <Trans>
              Each Ito is{' '}
              <Sourced
                name={`stages.${stage.id}.goalUsdPerPercent`}
                at={`/transparency#stages.${stage.id}.goalUsd`}
              >
                {each}
              </Sourced>{' '}
              of the goal. The ones awake are paid for.
            </Trans>
          ) : (
            <Trans>No stage is announced yet, so everybody sleeps.</Trans>
          )}
        </span>
        <span className="hidden figures sm:inline">
          <Trans>
            {awake} awake, {waking} waking, {asleep} asleep
          </Trans>
        </span>
      </figcaption>
    </figure>
  )
}

function Ticket() {
  const { signedIn, locale } = usePage()
  const path = usePath()
  const { settings, priceUsd, stage } = useCampaign()
  return (
    <div className="border-2 border-ink bg-raised lg:col-start-1 lg:row-span-2 lg:row-start-2">
      <div
        className="flex items-center justify-between gap-3 border-b px-4 py-2 text-sm sm:px-6 lg:py-3"
        data-live="stage"
      >
        <span className="font-semibold">
          {stage ? <OperatorText text={stage.name} /> : <Trans>No stage yet</Trans>}
        </span>
        {stage ? <StageState stage={stage} /> : null}
      </div>
      <div className="px-4 pt-3 pb-4 sm:px-6 lg:pt-5 lg:pb-6">
        <div data-live="price" className="flex flex-wrap items-end justify-between gap-x-4 lg:block">
          {priceUsd ? (
            <>
              <p className="display text-[4rem] lg:text-[6.25rem] lg:leading-[0.8]">
                <Sourced name="priceUsd">{dollars(priceUsd, locale, 'price')}</Sourced>
              </p>
              <p className="figures pb-1 text-sm whitespace-nowrap text-soft lg:pt-4 lg:pb-0">
                <bdi dir="ltr">
                  1 {settings.symbol} ={' '}
                  <Sourced name="priceUsd">{dollars(priceUsd, locale, 'price')}</Sourced>
                </bdi>
              </p>
            </>
          ) : (
            <>
              <p className="display text-[4rem]" aria-hidden="true">
                —
              </p>
              <p className="pb-1 text-sm">
                <Trans>Price unavailable</Trans>
              </p>
            </>
          )}
        </div>
        {stage ? <Progress stage={stage} /> : null}
        {stage ? <Clock stage={stage} /> : null}
        <a
          href={signedIn ? '/dashboard/buy-token' : path('/register')}
          className="press press-hot mt-4 h-13 w-full text-lg"
        >
          <Trans>Purchase Tokens</Trans>
        </a>
      </div>
    </div>
  )
}

function StageState({ stage }: { stage: PublicStage }) {
  const { t } = useLingui()
  const texts = {
    upcoming: t`Not started`,
    open: t`Open`,
    paused: t`Paused`,
    goal_reached: t`Goal reached`,
    ended: t`Over`,
  }
  const tone = stage.state === 'open' ? 'bg-now text-on-now' : 'bg-sunk text-ink'
  return <span className={`rounded-sm px-2 py-0.5 font-semibold ${tone}`}>{texts[stage.state]}</span>
}

function Progress({ stage }: { stage: PublicStage }) {
  const { t } = useLingui()
  const { locale } = usePage()
  const done = percent(stage.progressPercent, locale)
  const raised = dollars(stage.raisedUsd, locale)
  const goal = wholeDollars(stage.goalUsd, locale)
  const name = `stages.${stage.id}`
  return (
    <div data-live="progress" className="mt-3 lg:mt-4">
      <div className="flex items-baseline justify-between gap-3">
        <span className="text-sm text-soft">
          <Trans>Raised</Trans>
        </span>
        <span className="figures text-lg font-semibold">
          <Sourced name={`${name}.progressPercent`}>{done}</Sourced>
        </span>
      </div>
      <div
        role="progressbar"
        aria-label={t`Progress of ${pickText(stage.name, locale).text}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Number(stage.progressPercent)}
        aria-valuetext={t`${done}: ${raised} of ${goal}`}
        className="mt-1 h-3 border border-ink bg-paper"
      >
        <div className="h-full bg-accent" style={{ width: `${stage.progressPercent}%` }} />
      </div>
      <p className="mt-2 flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="figures font-semibold">
          <Sourced name={`${name}.raisedUsd`}>{raised}</Sourced>
        </span>
        <span className="figures text-sm text-soft">
          <Trans>
            of <Sourced name={`${name}.goalUsd`}>{goal}</Sourced>
          </Trans>
        </span>
      </p>
      <p className="mt-1 text-xs leading-5 text-soft">
        <RaisedParts stage={stage} />
        <MayBeTakenBack />
      </p>
    </div>
  )
}

/** Counts down by the server's clock. */
function Clock({ stage }: { stage: PublicStage }) {
  const { t } = useLingui()
  const { locale } = usePage()
  const { serverTime, pausedAt, pauseReason } = useCampaign()
  const now = Date.parse(serverTime)
  const isUpcoming = now < Date.parse(stage.startsAt)
  const isOver = now >= Date.parse(stage.endsAt)
  const left = countdown(Date.parse(isUpcoming ? stage.startsAt : stage.endsAt) - now)
  const words = { upcoming: t`Starts in`, running: t`Ends in`, over: t`Over` }
  const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' })
  return (
    <div className="mt-3 border-t pt-3 lg:mt-4">
      <p
        className="flex flex-wrap items-baseline justify-between gap-x-3"
        data-island="countdown"
        data-starts={stage.startsAt}
        data-ends={stage.endsAt}
        data-now={serverTime}
        data-words={JSON.stringify(words)}
      >
        <span className="text-sm text-soft" data-label>
          {isOver ? words.over : isUpcoming ? words.upcoming : words.running}
        </span>
        <span role="timer" className="figures text-lg font-semibold" data-clock>
          {isOver ? '00:00:00' : `${left.days > 0 ? `${days.format(left.days)} ` : ''}${left.clock}`}
        </span>
      </p>
      <p className="text-xs text-soft" data-live="dates">
        {isUpcoming ? moment(stage.startsAt, locale) : moment(stage.endsAt, locale)}
        {stage.firstEndsAt ? (
          <>
            {' · '}
            <Trans>
              moved once, from <s>{moment(stage.firstEndsAt, locale)}</s>
            </Trans>
          </>
        ) : null}
      </p>
      <div data-live="pause">
        {pausedAt ? (
          <p className="mt-3 border-s-4 border-danger bg-danger-soft px-3 py-2 text-sm">
            <Trans>The sale is paused.</Trans> {pauseReason ? <OperatorText text={pauseReason} /> : null}
          </p>
        ) : null}
      </div>
    </div>
  )
}

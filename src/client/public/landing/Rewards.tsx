import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicGiveaway } from '../../../shared/api/giveaways.ts'
import { Ito } from '../../ito/Ito.tsx'
import { dollars, moment } from '../figures.ts'
import { OperatorText, Section, Sourced, usePage, usePath } from '../frame.tsx'
import { Claim, slot } from './Claim.tsx'
import { Levels } from './Levels.tsx'
import { Swap } from './Swap.tsx'

export function Rewards() {
  return (
    <Section
      id="rewards"
      title={<Trans>Exclusive Rewards</Trans>}
      lead={
        <>
          <Trans>Don’t take our word for it: whatever has a field or a button here can be tried.</Trans>
          <noscript>
            {' '}
            <Trans>That needs scripts, which are off in this browser.</Trans>
          </noscript>
        </>
      }
    >
      <div className="grid border-t-2 border-ink lg:grid-cols-2">
        <Swap />
        <Levels />
        <CheckNumbers />
        <Giveaway />
      </div>
    </Section>
  )
}

function CheckNumbers() {
  const { t } = useLingui()
  const path = usePath()
  const words = {
    reading: t`Reading the rows…`,
    rows: t`Rows read and added up on this device: ${slot.count}`,
    agree: t`They agree.`,
    differ: t`They do not agree. Please tell the seller, and show this.`,
    failed: t`The figures could not be fetched. Try again in a moment.`,
    raised: t`Raised`,
    onChain: t`Confirmed on chain`,
    byOperator: t`Approved by an operator`,
    purchased: t`Tokens sold`,
    bonus: t`Bonus tokens`,
    orders: t`Approved orders`,
    shares: t`Shares of the supply, %`,
    shown: t`Shown`,
    counted: t`Counted`,
    figure: t`Figure`,
    same: t`agrees`,
    other: t`differs`,
  }
  return (
    <Claim
      title={<Trans>Check the numbers</Trans>}
      lead={
        <Trans>
          Press the button: your browser fetches every approved order, adds them up and compares the sums with
          what this page shows.
        </Trans>
      }
    >
      <div data-island="check" data-words={JSON.stringify(words)} className="relative max-w-lg">
        <span className="absolute end-0 -bottom-2 -z-10 h-32 max-sm:hidden" data-ornament aria-hidden="true">
          <Ito decorative pose="search" />
        </span>
        <button type="button" className="press press-hot min-w-40" data-analyze>
          <Trans>Analyze</Trans>
        </button>
        <div data-result role="status" className="mt-4 text-sm empty:mt-0 sm:min-h-16" />
      </div>
      <p className="pt-4 text-sm text-soft">
        <Trans>
          The same rows are yours to download on{' '}
          <a href={path('/transparency')} className="under">
            Transparency
          </a>
          .
        </Trans>{' '}
        <a href={path('/verify')} className="under">
          <Trans>Verify every figure by the journal</Trans>
        </a>
      </p>
    </Claim>
  )
}

function Giveaway() {
  const { giveaway, hasPastGiveaway } = usePage()
  if (giveaway) return <PublishedGiveaway giveaway={giveaway} />
  return hasPastGiveaway ? <PastGiveaways /> : <NoGiveaway />
}

function PastGiveaways() {
  const path = usePath()
  return (
    <Claim
      id="main-prize"
      title={<Trans>Giveaway</Trans>}
      lead={<Trans>No giveaway is open now. The draw, winners and prizes of each stay public.</Trans>}
    >
      <div className="flex items-end justify-between gap-6">
        <a href={path('/giveaway')} className="press">
          <Trans>Past giveaways</Trans>
        </a>
        <span className="h-32 shrink-0 max-sm:hidden" aria-hidden="true">
          <Ito decorative pose="box" />
        </span>
      </div>
    </Claim>
  )
}

function PublishedGiveaway({ giveaway }: { giveaway: PublicGiveaway }) {
  const { locale } = usePage()
  const path = usePath()
  const { rules } = giveaway
  const closes = moment(rules.closesAt, locale)
  return (
    <Claim
      title={<OperatorText text={rules.title} />}
      lead={
        <Trans>
          By {rules.sponsor}, until {closes}. No purchase is needed, and anybody can repeat the draw.
        </Trans>
      }
    >
      <ul className="max-w-lg">
        {rules.prizes.map((prize) => (
          <li
            key={`${prize.name.en} ${prize.valueUsd}`}
            className="flex justify-between gap-4 border-t py-2.5"
          >
            <OperatorText text={prize.name} />
            <span className="figures">
              <Sourced name="giveaway/prizes" at={`/giveaway#draw-${giveaway.id}`}>
                {prize.count} × {dollars(prize.valueUsd, locale)}
              </Sourced>
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-4">
        <a href={path('/giveaway')} className="press press-hot">
          <Trans>Rules and free entry</Trans>
        </a>
      </p>
    </Claim>
  )
}

function NoGiveaway() {
  return (
    <Claim
      id="main-prize"
      title={<Trans>Giveaway</Trans>}
      lead={
        <Trans>
          No giveaway is published, so there is no prize to show. A giveaway needs all of this first:
        </Trans>
      }
    >
      <div className="flex items-end justify-between gap-6">
        <ul className="max-w-lg flex-1">
          {[
            <Trans key="sponsor">a sponsor, by name</Trans>,
            <Trans key="rules">official rules</Trans>,
            <Trans key="free">a free way to enter</Trans>,
            <Trans key="date">a closing date</Trans>,
            <Trans key="draw">a draw that anyone can check</Trans>,
          ].map((need) => (
            <li key={need.key} className="flex items-center gap-3 border-t py-2.5">
              <span aria-hidden="true" className="size-4 shrink-0 border border-line-strong" />
              {need}
            </li>
          ))}
        </ul>
        <span className="h-32 shrink-0 max-sm:hidden" aria-hidden="true">
          <Ito decorative pose="box" />
        </span>
      </div>
    </Claim>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { levelIndexHeld } from '../../../shared/levels.ts'
import { Ito } from '../../ito/Ito.tsx'
import { amount, percent, pickText } from '../figures.ts'
import { OperatorText, Section, useCampaign, usePage, usePath } from '../frame.tsx'

/** Four claims, each with a machine beside it that shows whether it holds. */
export function Rewards() {
  return (
    <Section
      id="rewards"
      title={<Trans>Exclusive Rewards</Trans>}
      lead={<Trans>Four claims. None of them asks to be believed: each can be tried right here.</Trans>}
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

function Claim({
  id,
  title,
  lead,
  children,
}: {
  id?: string
  title: ReactNode
  lead: ReactNode
  children: ReactNode
}) {
  return (
    <article
      id={id}
      className="flex min-w-0 flex-col border-b py-10 lg:px-10 lg:py-12 lg:odd:border-r lg:odd:pl-0 lg:even:pr-0"
    >
      <h3 className="display text-4xl">{title}</h3>
      <p className="mt-2 max-w-lg text-soft">{lead}</p>
      <div className="mt-6 flex flex-1 flex-col">{children}</div>
    </article>
  )
}

/** Placeholders in the words that an island fills. */
const slot = { level: '{level}', bonus: '{bonus}', amount: '{amount}', count: '{count}' }

const field =
  'flex items-center gap-3 border border-line-strong bg-raised px-4 py-3 focus-within:outline-2 focus-within:outline-ring'

/** Shows a swap whose two amounts are the server's: the quote that a buyer would get. */
function Swap() {
  const { t } = useLingui()
  const { currencies, locale } = usePage()
  const { settings, priceUsd } = useCampaign()
  const accepted = currencies.filter((currency) => currency.unavailable === null)
  const words = {
    network: t`The quote could not be fetched. Try again in a moment.`,
    bonus: t`bonus ${slot.amount} ${settings.symbol}`,
    limits: t`One order: ${amount(settings.orderMinimumTokens, locale)}–${amount(settings.orderMaximumTokens, locale)} ${settings.symbol}.`,
  }
  return (
    <Claim
      title={<Trans>Zero platform fee</Trans>}
      lead={
        <Trans>
          You send what the tokens cost at the public rate. The site adds nothing; the network of the coin has
          a fee of its own.
        </Trans>
      }
    >
      {accepted.length === 0 || !priceUsd ? (
        <p className="border border-line-strong px-4 py-6 text-soft">
          <Trans>No coin is accepted just now, so there is nothing to swap.</Trans>
        </p>
      ) : (
        <form
          data-island="swap"
          data-symbol={settings.symbol}
          data-maximum={settings.orderMaximumTokens}
          data-words={JSON.stringify(words)}
          className="grid max-w-lg grid-cols-1 gap-2"
          noValidate
        >
          <div>
            <label htmlFor="swap-send" className="text-sm text-soft">
              <Trans>You send</Trans>
            </label>
            <div className={field}>
              <input
                id="swap-send"
                name="send"
                inputMode="decimal"
                autoComplete="off"
                maxLength={25}
                aria-describedby="swap-note"
                className="figures min-w-0 flex-1 bg-transparent text-xl outline-none"
              />
              <button type="button" data-max className="press min-h-9 px-3 text-sm">
                <Trans>Max</Trans>
              </button>
              <select name="currency" aria-label={t`Coin`} className="h-9 bg-transparent font-semibold">
                {accepted.map((currency) => (
                  <option key={currency.code} value={currency.code} className="bg-raised">
                    {currency.code}
                  </option>
                ))}
              </select>
            </div>
          </div>
          <div>
            <label htmlFor="swap-receive" className="text-sm text-soft">
              <Trans>You receive</Trans>
            </label>
            <div className={field}>
              <input
                id="swap-receive"
                name="receive"
                inputMode="decimal"
                autoComplete="off"
                maxLength={25}
                defaultValue={settings.orderDefaultTokens}
                aria-describedby="swap-note"
                className="figures min-w-0 flex-1 bg-transparent text-xl outline-none"
              />
              <span className="font-semibold">{settings.symbol}</span>
            </div>
          </div>
          <div className="flex min-h-12 justify-between gap-4 text-sm">
            <p id="swap-note" role="status" data-note className="text-soft" />
            <p className="font-semibold whitespace-nowrap text-success">
              <Trans>No fee</Trans>
            </p>
          </div>
        </form>
      )}
    </Claim>
  )
}

/** The ladder: each level's Ito wears its own outfit; the slider wakes those that an amount reaches. */
function Levels() {
  const { t } = useLingui()
  const { locale } = usePage()
  const { settings } = useCampaign()
  const { levels, symbol, orderDefaultTokens, orderMinimumTokens, orderMaximumTokens } = settings
  const start = levelIndexHeld(levels, orderDefaultTokens)
  const rules = levels.map((level) => ({
    name: level.name,
    threshold: level.threshold,
    bonus: level.bonusPercent,
  }))
  const words = {
    held: t`${slot.level}: ${slot.bonus} bonus`,
    amount: `${slot.amount} ${symbol}`,
    next: t`${slot.amount} more to ${slot.level}`,
    top: t`The highest level.`,
  }
  const first = levels[start]
  return (
    <Claim
      title={<Trans>Priority access</Trans>}
      lead={
        <Trans>
          A larger order reaches a higher level, and its bonus comes on top. No level promises money.
        </Trans>
      }
    >
      <div
        data-island="levels"
        data-rules={JSON.stringify(rules)}
        data-minimum={orderMinimumTokens}
        data-maximum={orderMaximumTokens}
        data-words={JSON.stringify(words)}
      >
        <div
          className="flex max-w-lg items-end justify-between gap-1 border-b-2 border-ink"
          aria-hidden="true"
        >
          {levels.map((level, rank) => (
            <span
              key={level.key}
              data-rank={rank}
              data-reached={rank <= start || undefined}
              className="w-14 min-w-0 opacity-25 grayscale transition dark:opacity-45 data-reached:opacity-100 data-reached:grayscale-0"
            >
              <Ito decorative rank={rank} levelCount={levels.length} className="h-auto w-full" />
            </span>
          ))}
        </div>
        <label htmlFor="level-amount" className="mt-5 flex max-w-lg justify-between gap-4 text-sm text-soft">
          <Trans>If you buy</Trans>
          <output data-amount className="figures font-semibold text-ink">
            {amount(orderDefaultTokens, locale)} {symbol}
          </output>
        </label>
        <input
          id="level-amount"
          type="range"
          min={0}
          max={1000}
          defaultValue={0}
          aria-valuetext={`${amount(orderDefaultTokens, locale)} ${symbol}`}
          className="range mt-1 h-11 w-full max-w-lg"
        />
        <p role="status" className="flex max-w-lg flex-wrap items-baseline justify-between gap-x-4">
          <span data-held className="text-lg font-semibold">
            {first ? t`${first.name}: ${percent(first.bonusPercent, locale)} bonus` : null}
          </span>
          <span data-next className="text-sm text-soft" />
        </p>
      </div>
      <details className="mt-4 max-w-lg">
        <summary className="under text-sm">
          <Trans>All levels and their perks</Trans>
        </summary>
        <dl className="mt-3 text-sm">
          {levels.map((level) => (
            <div key={level.key} className="border-t py-2">
              <dt className="flex justify-between gap-4 font-semibold">
                <span>{level.name}</span>
                <span className="figures font-normal">
                  {amount(level.threshold, locale)}+ · {percent(level.bonusPercent, locale)}
                </span>
              </dt>
              <dd className="text-soft">
                <OperatorText text={level.description} />{' '}
                {level.perks.map((perk) => pickText(perk, locale).text).join(' · ')}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </Claim>
  )
}

/** The visitor's own machine adds the public rows up and compares. */
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
        <span
          className="absolute right-0 -bottom-2 -z-10 h-32 max-sm:hidden"
          data-ornament
          aria-hidden="true"
        >
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
        </Trans>
      </p>
    </Claim>
  )
}

/** No giveaway is published, so this says what one would need. */
function Giveaway() {
  return (
    <Claim
      id="main-prize"
      title={<Trans>Giveaway</Trans>}
      lead={
        <Trans>
          None is published, so there is no prize to show. Before there is one, it needs all of this:
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

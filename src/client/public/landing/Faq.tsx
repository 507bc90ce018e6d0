import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { payBackDays } from '../../../shared/campaign-settings.ts'
import { isLive, type LiveQuestion } from '../../../shared/faq.ts'
import { pickText } from '../../../shared/languages.ts'
import { DeliveryDates, vestingOf } from '../../ui/DeliveryDates.tsx'
import { longDate } from '../figures.ts'
import { NotYet, OperatorText, useCampaign, usePage, usePath, useWritten } from '../frame.tsx'
import { PlainText } from '../PlainText.tsx'

// Rules: TEXT-15
/** Questions in the operator's order, one answer open at a time. */
export function Faq() {
  const { symbol, faq } = useCampaign().settings
  return (
    <section id="faq" aria-labelledby="faq-title">
      <div className="wrap grid gap-8 py-16 lg:grid-cols-[22rem_1fr] lg:gap-16 lg:py-24">
        <div>
          <h2 id="faq-title" className="display text-title">
            <Trans>FAQ</Trans>
          </h2>
          <p className="mt-3 text-soft">
            <Trans>Questions of a careful buyer. Answers with figures follow the settings.</Trans>
          </p>
        </div>
        <div className="border-t-2 border-ink">
          {faq.map((entry, index) => (
            <Question key={entry.key} isOpen={index === 0} {...shownOf(entry, symbol)} />
          ))}
        </div>
      </div>
    </section>
  )
}

type Entry = ReturnType<typeof useCampaign>['settings']['faq'][number]

interface Shown {
  readonly question: ReactNode
  readonly answer: ReactNode
}

function Question({ isOpen, question, answer }: Shown & { isOpen: boolean }) {
  return (
    <details name="faq" open={isOpen} className="group border-b">
      <summary className="flex items-center justify-between gap-6 py-4 text-lg font-semibold wrap-anywhere hover:text-accent-text">
        {question}
        <svg
          viewBox="0 0 20 20"
          className="size-5 shrink-0 transition-transform group-open:rotate-45"
          aria-hidden="true"
        >
          <path d="M10 3v14M3 10h14" stroke="currentColor" strokeWidth="2" />
        </svg>
      </summary>
      <div className="measure grid gap-3 pb-6 text-soft">{answer}</div>
    </details>
  )
}

function shownOf(entry: Entry, symbol: string): Shown {
  if (isLive(entry.key)) return live(symbol)[entry.key]
  return { question: <OperatorText text={entry.question} />, answer: <OwnAnswer text={entry.answer} /> }
}

const live = (symbol: string): Record<LiveQuestion, Shown> => ({
  listing: { question: <Trans>When will {symbol} be listed?</Trans>, answer: <Listing /> },
  delivery: { question: <Trans>When and where do I get the tokens?</Trans>, answer: <Delivery /> },
  refunds: { question: <Trans>Can I get my money back?</Trans>, answer: <Refunds /> },
  risks: { question: <Trans>What can go wrong?</Trans>, answer: <Risks /> },
  pay: { question: <Trans>How do I pay?</Trans>, answer: <Paying /> },
  seller: { question: <Trans>Who sells this?</Trans>, answer: <Seller /> },
  true: { question: <Trans>How do I know that the figures are true?</Trans>, answer: <Figures /> },
})

/** No figure backs the seller's own statement. */
function OwnAnswer({ text }: { text: Entry['answer'] }) {
  const { locale } = usePage()
  const picked = pickText(text, locale)
  return (
    <>
      <div lang={picked.lang} className="break-words">
        <PlainText text={picked.text} />
      </div>
      <p className="text-sm">
        <Trans>The seller's own answer.</Trans>
      </p>
    </>
  )
}

function Listing() {
  const { locale } = usePage()
  const { listingDate } = useCampaign().settings
  return (
    <>
      <p>{listingDate ? <Trans>On {longDate(listingDate, locale)}.</Trans> : <NotYet />}</p>
      <p>
        <Trans>A listing may come late or never. The price after it is unknown, so no page names one.</Trans>
      </p>
    </>
  )
}

function Delivery() {
  return (
    <>
      <p>
        <Trans>
          Once an order is approved, its tokens stand in your account here. The delivery plan says when they
          move to a wallet of yours.
        </Trans>
      </p>
      <Plan />
    </>
  )
}

/** The delivery plan says so for each part that is not fixed. */
function Plan() {
  const campaign = useCampaign()
  const written = useWritten()
  const { delivery } = campaign.settings
  const vesting = vestingOf(campaign, written.text)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
      <dt>
        <Trans>Network</Trans>
      </dt>
      <dd className="text-ink">{delivery.network || <NotYet />}</dd>
      <dt>
        <Trans>Token contract</Trans>
      </dt>
      <dd className="break-all text-ink">{delivery.tokenContract ?? <Trans>not deployed yet</Trans>}</dd>
      <dt>
        <Trans>Delivery date</Trans>
      </dt>
      <dd className="text-ink">
        <DeliveryDates campaign={campaign} written={written} />
      </dd>
      {vesting ? (
        <>
          <dt>
            <Trans>Vesting</Trans>
          </dt>
          <dd className="text-ink">{vesting}</dd>
        </>
      ) : null}
    </dl>
  )
}

function Refunds() {
  const path = usePath()
  const { softCapPolicy, moneyBackDays } = useCampaign().settings
  return (
    <>
      <p>
        {moneyBackDays > 0 ? (
          <Trans>
            Yes, within {moneyBackDays} days of what you bought last with an order, but not after the sale:
            one press on the order's page, for no reason and without a fee. What you paid is owed back to you
            in the same coin, and is to be paid within {payBackDays} days.
          </Trans>
        ) : (
          <Trans>
            Not by asking: a payment in a cryptocurrency can't be called back. An order that you do not pay
            ends by itself.
          </Trans>
        )}
      </p>
      <p>
        {softCapPolicy === 'refund' ? (
          <Trans>If the soft cap is missed, approved payments are owed back to their buyers.</Trans>
        ) : (
          <Trans>If the soft cap is missed, nothing is refunded for that reason.</Trans>
        )}{' '}
        <Trans>
          A payment behind an order that is rejected afterwards is owed to its buyer; the sum owed to all is
          on{' '}
          <a href={path('/transparency')} className="under">
            Transparency
          </a>
          .
        </Trans>
      </p>
    </>
  )
}

function Risks() {
  const path = usePath()
  return (
    <p>
      <Trans>
        You can lose everything you pay. Read the{' '}
        <a href={path('/risks')} className="under">
          risk notice
        </a>{' '}
        before the first order; the site asks you to accept it.
      </Trans>
    </p>
  )
}

function Paying() {
  const { currencies } = usePage()
  const { expiryMinutes } = useCampaign().settings
  const coins = currencies
    .filter((currency) => currency.unavailable === null)
    .map((currency) => currency.code)
  return (
    <>
      <p>
        {coins.length > 0 ? (
          <Trans>Accepted now: {coins.join(', ')}.</Trans>
        ) : (
          <Trans>No coin is accepted just now.</Trans>
        )}
      </p>
      <p>
        <Trans>
          An order shows an address, an exact amount and a QR code. It keeps its rate for {expiryMinutes}{' '}
          minutes. It reserves no tokens: they are taken when your payment is in a block.
        </Trans>
      </p>
    </>
  )
}

function Seller() {
  const path = usePath()
  const { seller } = useCampaign().settings
  return seller.name ? (
    <p>
      {[seller.name, seller.address, seller.contact].filter(Boolean).join(', ')}.{' '}
      <a href={path('/terms')} className="under">
        <Trans>The terms</Trans>
      </a>
    </p>
  ) : (
    <p>
      <Trans>The seller is not named yet, so nothing can be bought.</Trans>
    </p>
  )
}

function Figures() {
  const path = usePath()
  return (
    <p>
      <Trans>
        Add them up yourself:{' '}
        <a href={path('/transparency')} className="under">
          Transparency
        </a>{' '}
        has each figure's query and every approved order. It can't prove approvals by hand, so those are
        counted apart.
      </Trans>
    </p>
  )
}

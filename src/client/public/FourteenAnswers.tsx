import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import {
  type Answer,
  fourteenAnswers,
  type Question,
  questions,
  type Share,
} from '../../shared/fourteen-answers.ts'
import { localPath } from '../../shared/languages.ts'
import { type Transparency } from '../../shared/public-pages.ts'
import { dollars, longDate, moment } from './figures.ts'
import { Sourced, useCampaign, usePage } from './frame.tsx'

/** Answered from this sale's data with links to the evidence. */
export function FourteenAnswers({ transparency }: { transparency: Transparency }) {
  const { currencies, alarm } = usePage()
  const campaign = useCampaign()
  const { answers, shares } = fourteenAnswers({ campaign, currencies, transparency, alarm })
  const names = useQuestions()
  return (
    <section aria-labelledby="answers" className="mt-8">
      <h2 id="answers" className="display text-4xl">
        <Trans>Fourteen questions</Trans>
      </h2>
      <p className="mt-3 max-w-3xl text-soft">
        <Trans>
          Neufund asked these of token sales in 2017. The answers follow from this sale's data by fixed rules;
          those that speak against it too.
        </Trans>
      </p>
      <ol className="mt-6 border-t-2 border-ink">
        {questions.map((question) => (
          <li
            key={question}
            data-question={question}
            data-answer={answers[question]}
            className="grid gap-x-10 gap-y-1 border-b py-4 lg:grid-cols-[22rem_10rem_1fr]"
          >
            <h3 className="font-semibold">{names[question]}</h3>
            <p className="font-semibold">
              <Said answer={answers[question]} />
            </p>
            <p className="min-w-0 text-soft">
              <Evidence question={question} shares={shares} transparency={transparency} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function useQuestions(): Record<Question, string> {
  const { t } = useLingui()
  return {
    contract: t`Does a contract hold the money of the sale?`,
    source: t`Can everybody read the contracts' code?`,
    explorer: t`Is that code shown at a block explorer?`,
    bytecode: t`Can everybody compile the contracts on chain?`,
    records: t`Is every step of the sale recorded for everybody?`,
    coin_price: t`Is the price in each coin known?`,
    coin_trust: t`Are coins handled without trust in the seller?`,
    token_price: t`Is the price in each other token known?`,
    token_trust: t`Are other tokens handled without trust in the seller?`,
    readable: t`Is the code easy to read?`,
    as_said: t`Does the sale keep its word?`,
    price_fixed: t`Is the price settled for good?`,
    start: t`Is it said when the sale begins?`,
    end: t`Is it said when the sale ends?`,
  }
}

function Said({ answer }: { answer: Answer }) {
  switch (answer) {
    case 'yes':
      return <Trans>Yes</Trans>
    case 'partly':
      return <Trans>Partly</Trans>
    case 'no':
      return <Trans>No</Trans>
    case 'none':
      return <Trans>No questions yet</Trans>
    case 'unknown':
      return <Trans>Not known</Trans>
  }
}

interface EvidenceOf {
  question: Question
  shares: ReturnType<typeof fourteenAnswers>['shares']
  transparency: Transparency
}

function Evidence({ question, shares, transparency }: EvidenceOf) {
  const { contracts, journal } = transparency
  switch (question) {
    case 'contract':
      return <OfCurrencies share={shares.inEscrow} name="currencies_in_escrow" />
    case 'coin_trust':
      return <OfCurrencies share={shares.coinsInEscrow} name="coins_in_escrow" />
    case 'token_trust':
      return <OfCurrencies share={shares.tokensInEscrow} name="tokens_in_escrow" />
    case 'coin_price':
      return <Priced share={shares.coinsPriced} name="coins_priced" />
    case 'token_price':
      return <Priced share={shares.tokensPriced} name="tokens_priced" />
    case 'source':
    case 'bytecode':
      return <OfCode question={question} contracts={contracts} />
    case 'explorer':
      return (
        <Trans>This program doesn't ask explorers. The addresses are named here and in the journal.</Trans>
      )
    case 'records':
      return journal ? (
        <Trans>
          <Count name="journal_size">{journal.size}</Count> signed entries, <To path="#journal">below</To>,
          with all that the sums of this page follow from.
        </Trans>
      ) : (
        <Trans>The journal has not begun yet.</Trans>
      )
    case 'readable':
      return <Trans>That is for readers to judge: contracts/src in this site's source code.</Trans>
    case 'as_said':
      return <OfLedgerCheck ledgerCheck={transparency.ledgerCheck} />
    default:
      return <OfTerms question={question} contracts={contracts} />
  }
}

function OfCurrencies({ share: { some, all }, name }: { share: Share; name: CurrencyCount }) {
  return (
    <Trans>
      <Count name={name}>{some}</Count> of <Count name={`${name}_of`}>{all}</Count> currencies are paid into
      an escrow contract, which returns the money where its terms are not kept. The others go to the seller's
      own addresses; what lies there: <To path="/reserves">proof of reserves</To>.
    </Trans>
  )
}

function Priced({ share: { some, all }, name }: { share: Share; name: CurrencyCount }) {
  return (
    <Trans>
      <Count name={name}>{some}</Count> of <Count name={`${name}_of`}>{all}</Count> have a rate now. It is
      shown before an order, stays with it, and stands in the journal with each approval.
    </Trans>
  )
}

function OfCode({
  question,
  contracts,
}: { question: 'source' | 'bytecode' } & Pick<Transparency, 'contracts'>) {
  const { escrows, rounds, otherCode } = contracts
  return (
    <>
      <Trans>
        Contracts on chain: <Count name="escrows">{escrows}</Count> escrows,{' '}
        <Count name="live_rounds">{rounds}</Count> distributors; at{' '}
        <Count name="other_code">{otherCode}</Count> of them other code stands than was put in force.
      </Trans>{' '}
      {question === 'source' ? (
        <Trans>
          Their source is contracts/src in this site's source code; a token of the seller's own making is not.
        </Trans>
      ) : (
        <Trans>npm run contracts compiles it, and the program compares the code on chain with that.</Trans>
      )}
    </>
  )
}

function OfLedgerCheck({ ledgerCheck }: Pick<Transparency, 'ledgerCheck'>) {
  const { locale } = usePage()
  if (!ledgerCheck) return <Trans>They have not been checked yet.</Trans>
  return (
    <Trans>
      Of <Count name="book_rules">{ledgerCheck.rules}</Count> rules of the ledger{' '}
      <Count name="broken_rules">{ledgerCheck.broken.length}</Count> are broken and{' '}
      <Count name="unasked_rules">{ledgerCheck.unasked.length}</Count> gave no answer, last asked on{' '}
      {moment(ledgerCheck.checkedAt, locale)}; and <To path="/reserves">proof of reserves</To>. Anybody can{' '}
      <To path="/verify">compute it again</To>.
    </Trans>
  )
}

function OfTerms({ question, contracts }: { question: Question } & Pick<Transparency, 'contracts'>) {
  const { locale } = usePage()
  const { stages, settings } = useCampaign()
  const [first, last] = [stages[0], stages.at(-1)]
  if (question === 'price_fixed')
    return (
      <Trans>
        Each stage has a price, but the seller can change it, which was done{' '}
        <Count name="price_changes">{contracts.priceChanges}</Count> times, for everybody to see{' '}
        <To path="#prices">below</To>.
      </Trans>
    )
  if (!first || !last) return <Trans>There is no stage yet.</Trans>
  if (question === 'start')
    return (
      <Trans>
        <Count name="starts">{longDate(first.startsAt, locale)}</Count>. The seller moved the beginning of a
        stage <Count name="start_changes">{contracts.startChanges}</Count> times,{' '}
        <To path="#changes">below</To>.
      </Trans>
    )
  return (
    <Trans>
      <Count name="ends">{longDate(last.endsAt, locale)}</Count>, or at{' '}
      <Count name="hard_cap">{dollars(settings.hardCapUsd, locale, 0)}</Count>. The seller changed an end or a
      goal <Count name="end_changes">{contracts.endChanges}</Count> times, <To path="#changes">below</To>.
    </Trans>
  )
}

const RESTS_ON = {
  journal_size: '/transparency#journal',
  coins_priced: '/transparency#currencies.priced',
  coins_priced_of: '/transparency#currencies.priced',
  currencies_in_escrow: '/transparency#equation',
  currencies_in_escrow_of: '/transparency#currencies.priced',
  coins_in_escrow: '/transparency#equation',
  coins_in_escrow_of: '/transparency#currencies.priced',
  tokens_priced: '/transparency#currencies.priced',
  tokens_priced_of: '/transparency#currencies.priced',
  tokens_in_escrow: '/transparency#equation',
  tokens_in_escrow_of: '/transparency#currencies.priced',
  escrows: '/transparency#equation',
  live_rounds: '/transparency#rounds',
  other_code: '/reserves#owed',
  book_rules: '/reserves#ledger-check-title',
  broken_rules: '/reserves#ledger-check-title',
  unasked_rules: '/reserves#ledger-check-title',
  price_changes: '/transparency#prices',
  starts: '/transparency#changes',
  start_changes: '/transparency#changes',
  ends: '/transparency#changes',
  end_changes: '/transparency#changes',
  hard_cap: '/transparency#settings.hardCapUsd',
} as const

type CurrencyCount =
  | 'coins_priced'
  | 'tokens_priced'
  | 'currencies_in_escrow'
  | 'coins_in_escrow'
  | 'tokens_in_escrow'

const Count = ({ name, children }: { name: keyof typeof RESTS_ON; children: ReactNode }) => (
  <span className="figures">
    <Sourced name={`answers/${name}`} at={RESTS_ON[name]}>
      {children}
    </Sourced>
  </span>
)

function To({ path, children }: { path: string; children: ReactNode }) {
  const { locale } = usePage()
  return (
    <a className="under" href={path.startsWith('#') ? path : localPath(locale, path)}>
      {children}
    </a>
  )
}

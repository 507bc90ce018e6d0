import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { roundFilePath } from '../../shared/api/rounds.ts'
import { payBackDays } from '../../shared/campaign-settings.ts'
import { type FigureKey, figures as figureRows, nameOfFigure } from '../../shared/figures.ts'
import { localPath } from '../../shared/languages.ts'
import type { FigureOrigins, JournalHead, PublicFigure, Transparency } from '../../shared/public-pages.ts'
import { EquationTable } from './EquationTable.tsx'
import { FourteenAnswers } from './FourteenAnswers.tsx'
import { amount, dollars, longDate, moment, percent } from './figures.ts'
import { Sourced, useCampaign, usePage } from './frame.tsx'
import { Formula, Origins } from './Origins.tsx'
import { SaleSummary, WhatNoProofShows, WhereTokensAre } from './SaleSummary.tsx'
import { useSettingChanges } from './setting-changes.ts'
import { TableOf } from './TableOf.tsx'

export function TransparencyPage({ transparency }: { transparency: Transparency }) {
  return (
    <div className="wrap py-12 lg:py-20">
      <div className="max-w-3xl">
        <h1 className="display text-title">
          <Trans>Transparency</Trans>
        </h1>
        <p className="mt-4 text-lg text-soft">
          <Trans>
            The sold tokens, who owes them, and how you check that yourself. You need no account and no trust
            in this site.
          </Trans>
        </p>
      </div>
      <SaleSummary transparency={transparency} />
      <WhereTokensAre equation={transparency.equation} />
      <WhatNoProofShows />
      <Details transparency={transparency} />
    </div>
  )
}

/** Each tab is a link, so it works without scripts; each section repeats the tabs with its own marked. */
function Details({ transparency }: { transparency: Transparency }) {
  const { t } = useLingui()
  const parts = [
    { id: 'questions', name: t`Questions`, part: <FourteenAnswers transparency={transparency} /> },
    { id: 'queries', name: t`Queries`, part: <Queries transparency={transparency} /> },
    { id: 'rows', name: t`Rows`, part: <Rows transparency={transparency} /> },
    { id: 'log', name: t`Log`, part: <Journal head={transparency.journal} /> },
    { id: 'history', name: t`History`, part: <History transparency={transparency} /> },
  ]
  return (
    <div className="panels mt-12">
      {parts.map(({ id: open, name, part }) => (
        <section key={open} id={open} aria-label={name} className="scroll-mt-24">
          <nav aria-label={t`Details`} className="flex flex-wrap border-b-2 border-ink">
            {parts.map(({ id, name: to }) => (
              <a
                key={id}
                href={`#${id}`}
                aria-current={id === open || undefined}
                className={`px-2 py-3 font-semibold ${id === open ? 'bg-ink text-paper' : ''}`}
              >
                {to}
              </a>
            ))}
          </nav>
          {part}
        </section>
      ))}
    </div>
  )
}

function Queries({
  transparency: { figures, computedAt, origins, journal },
}: {
  transparency: Transparency
}) {
  const { locale } = usePage()
  return (
    <>
      <p className="mt-8 max-w-3xl text-soft">
        <Trans>
          Each figure with the query that gave it. The queries ran for this page on{' '}
          {longDate(computedAt, locale)} at {computedAt.slice(11, 19)} UTC. The table sale_totals keeps the
          ledger's sums; each approval writes to both in one transaction, and a command proves that they
          agree.
        </Trans>
      </p>
      <div className="mt-6 border-t">
        {figures.map((figure) => (
          <Figure key={figure.key} figure={figure} origins={origins} />
        ))}
      </div>
      <Origins origins={origins} journal={journal} />
    </>
  )
}

function Rows({ transparency }: { transparency: Transparency }) {
  return (
    <>
      <OrderRows />
      <EquationTable equation={transparency.equation} />
      <Rounds rounds={transparency.rounds} />
    </>
  )
}

function History({ transparency: { prices, changes } }: { transparency: Transparency }) {
  return (
    <>
      <Prices prices={prices} />
      <Earlier of="prices" next={prices.next} />
      <Changes changes={changes} />
      <Earlier of="changes" next={changes.next} />
    </>
  )
}

function useFigureTexts(): Record<FigureKey, { name: string; meaning: string }> {
  const { t } = useLingui()
  const { settings } = useCampaign()
  const { symbol } = settings
  return {
    'raised.usd': {
      name: t`Raised`,
      meaning: t`Dollars of approved orders: the two parts below added up. A reversed order leaves it.`,
    },
    'raised.onChainUsd': {
      name: t`Raised, confirmed on chain`,
      meaning: t`Dollars of orders approved because their payment was seen and confirmed on a blockchain.`,
    },
    'raised.byOperatorUsd': {
      name: t`Raised, approved by an operator`,
      meaning: t`Dollars of orders that a person approved. The software can't prove these, so they are counted apart.`,
    },
    'raised.takeableUsd': {
      name: t`Of it, may still be taken back`,
      meaning: t`Dollars of approved orders that their buyers may still take back. Nobody has to be asked, and the money is owed back then.`,
    },
    'approvedOrders.onChain': {
      name: t`Orders confirmed on chain`,
      meaning: t`How many approved orders were approved by a confirmed payment.`,
    },
    'approvedOrders.byOperator': {
      name: t`Approvals by hand`,
      meaning: t`How many approved orders a person approved.`,
    },
    purchasedTokens: {
      name: t`Purchased`,
      meaning: t`${symbol} of approved orders without their bonus.`,
    },
    bonusTokens: { name: t`Bonus`, meaning: t`${symbol} given on top of approved orders, by level.` },
    grantedTokens: {
      name: t`Grants and rewards`,
      meaning: t`${symbol} that operators granted, and rewards for bringing buyers. No figure above contains them.`,
    },
    allocatedTokens: {
      name: t`Allocated for delivery`,
      meaning: t`${symbol} in the published lists of the delivery rounds below.`,
    },
    heldTokens: {
      name: t`Held for a later delivery`,
      meaning: t`${symbol} of buyers, purchased, bonus and granted, that are in no list of a delivery round. Tokens that an escrow keeps are among them.`,
    },
    refundsOwedUsd: {
      name: t`Refunds owed`,
      meaning: t`Dollars of payments owed back for any reason and not paid back yet, at the rate when each became owed.`,
    },
    refundsOwedSince: {
      name: t`The oldest refund is owed since`,
      meaning: t`When the payment that waits longest became one to pay back.`,
    },
    refundsOverdueUsd: {
      name: t`Refunds overdue`,
      meaning: t`Of the refunds owed, dollars of orders that their buyers took back more than ${payBackDays} days ago.`,
    },
    'stages.N.progressPercent': {
      name: t`Progress of the current stage`,
      meaning: t`Raised in the stage divided by its goal, rounded down, so that 100% means full; below 1% with two decimals.`,
    },
    leftTokens: {
      name: t`Left of the current stage`,
      meaning: t`${symbol} that new orders may still take while the stage is open: the least that its goal, the hard cap and the tokens for sale leave. Payments in a block and signed payments into an escrow are taken off.`,
    },
  }
}

function Figure({
  figure: { key, value, sql },
  origins,
}: {
  figure: PublicFigure
  origins: FigureOrigins | null
}) {
  const { t } = useLingui()
  const { locale } = usePage()
  const { settings, stage } = useCampaign()
  const text = useFigureTexts()[key]
  const row = figureRows[key]
  const name = nameOfFigure(key, stage?.id)
  const written = {
    usd: () => dollars(value, locale),
    token: () => `${amount(value, locale)} ${settings.symbol}`,
    count: () => amount(value, locale),
    percent: () => percent(value, locale),
    moment: () => (value ? moment(value, locale) : t`No refund is owed`),
  }[row.unit]()
  return (
    <article
      id={name}
      className="grid gap-x-10 gap-y-3 border-b py-6 target:bg-sunk lg:grid-cols-[22rem_1fr]"
    >
      <div>
        <h2 className="text-sm text-soft">{text.name}</h2>
        <p className="figures mt-1 text-2xl font-semibold break-words">
          <Sourced name={name}>{written}</Sourced>
        </p>
        <code className="text-sm text-soft break-all">{name}</code>
      </div>
      <div className="min-w-0">
        <p className="mb-1">{text.meaning}</p>
        <Formula figure={{ ...row, name }} origins={origins} />
        <details className="mt-2">
          <summary className="under w-fit text-sm">
            <Trans>The query</Trans>
          </summary>
          <pre
            className="figures mt-2 overflow-x-auto border-s-4 border-line-strong bg-sunk p-3 text-sm"
            dir="ltr"
          >
            {sql}
          </pre>
        </details>
      </div>
    </article>
  )
}

function OrderRows() {
  return (
    <section aria-labelledby="rows-title" className="mt-8 max-w-3xl">
      <h2 id="rows-title" className="display text-4xl">
        <Trans>The rows behind them</Trans>
      </h2>
      <p className="mt-3 text-soft">
        <Trans>
          Every approved order as a row: its name in the journal, day, stage, currency, base and bonus tokens,
          dollars and how it was approved. No time, no address and nothing of its buyer. The verifier holds
          each row against the journal.
        </Trans>
      </p>
      <a href="/transparency/orders.csv" download className="press mt-5">
        <Trans>Download the rows (CSV)</Trans>
      </a>
    </section>
  )
}

function Journal({ head }: { head: JournalHead | null }) {
  const { locale, publicUrl } = usePage()
  return (
    <section id="journal" aria-labelledby="journal-title" className="mt-8 max-w-3xl">
      <h2 id="journal-title" className="display text-4xl">
        <Trans>The journal</Trans>
      </h2>
      <p className="mt-3 text-soft">
        <Trans>
          All entries from which the sums of this page follow, as a signed list that only ever grows. It has
          the terms and each change of them, approved and reversed orders, grants, and money owed back. It
          names no buyer. Keep a checkpoint, and you see if an older entry is changed later. The rest of a
          stage is not in it: a payment in a block takes its part before it is counted.
        </Trans>
      </p>
      {head ? (
        <>
          <dl className="mt-5 grid gap-3">
            <JournalFact name={<Trans>Entries</Trans>}>
              <Sourced name="journal.size" at="/transparency#journal">
                {head.size}
              </Sourced>
            </JournalFact>
            <JournalFact name={<Trans>Signed</Trans>}>{moment(head.signedAt, locale)}</JournalFact>
            <JournalFact name={<Trans>Root</Trans>}>{head.root}</JournalFact>
            <JournalFact name={<Trans>Key</Trans>}>{head.vkey}</JournalFact>
          </dl>
          <Witnesses head={head} />
          <p className="mt-5 text-soft">
            <Trans>
              The program that recomputes the figures from the journal is part of this site's source code:
            </Trans>
          </p>
          <pre className="figures mt-3 whitespace-pre-wrap wrap-anywhere text-sm">
            <code>npm run verify -- {publicUrl}</code>
          </pre>
          <p className="mt-5">
            <a href="/journal/checkpoint" className="press">
              <Trans>Newest checkpoint</Trans>
            </a>
          </p>
        </>
      ) : (
        <p className="mt-3">
          <Trans>The journal has not begun yet.</Trans>
        </p>
      )}
    </section>
  )
}

function Witnesses({ head }: { head: JournalHead }) {
  const { locale } = usePage()
  const { witnesses } = head
  const confirmed = witnesses.filter(({ size }) => size === head.size).length
  const all = witnesses.length
  if (witnesses.every(({ size }) => size === null))
    return (
      <p className="mt-5 text-soft">
        <Trans>No witness has confirmed this list yet, so keep a checkpoint of your own.</Trans>
      </p>
    )
  return (
    <>
      <h3 className="mt-8 font-semibold">
        <Trans>
          Witnesses: {confirmed} of {all} have seen all of it
        </Trans>
      </h3>
      <p className="mt-2 text-soft">
        <Trans>
          Each of these signs, with a key of its own, only a list that begins with the one it signed before.
          Whether one has nothing to do with this site's operator is for you to judge.
        </Trans>
      </p>
      <dl className="mt-3 grid gap-3">
        {witnesses.map((witness) => (
          <JournalFact key={witness.vkey} name={witness.name}>
            {witness.size !== null && witness.seenAt ? (
              <Trans>
                Saw the first {witness.size} entries on {moment(witness.seenAt, locale)}
              </Trans>
            ) : (
              <Trans>Has not confirmed anything yet</Trans>
            )}
            <br />
            {witness.vkey}
          </JournalFact>
        ))}
      </dl>
    </>
  )
}

function JournalFact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="text-soft">{name}</dt>
      <dd className="figures text-sm break-all">{children}</dd>
    </div>
  )
}

function Rounds({ rounds }: { rounds: Transparency['rounds'] }) {
  const { locale } = usePage()
  return (
    <TableOf
      id="rounds"
      title={<Trans>Delivery rounds</Trans>}
      head={[
        <Trans key="round">Round</Trans>,
        <Trans key="frozen">Frozen</Trans>,
        <Trans key="tokens">Tokens</Trans>,
        <Trans key="look">On chain: held + claimed</Trans>,
        <Trans key="proof">SHA-256 of the list, and its Merkle root</Trans>,
      ]}
      empty={<Trans>No delivery round has been frozen yet.</Trans>}
      rows={rounds.map((round) => ({
        key: String(round.number),
        cells: [
          <a key="list" className="under" href={`/api/v1${roundFilePath(round.number)}`} download>
            <Trans>List of round {round.number}</Trans>
          </a>,
          moment(round.frozenAt, locale),
          <span key="tokens" className="figures">
            <Sourced name={`rounds/${round.number}/tokens`} at="/transparency#rounds.tokens">
              {amount(round.tokens, locale)}
            </Sourced>
          </span>,
          <Look key="look" look={round.look} />,
          <span key="proof" className="figures text-sm break-all">
            {round.sha256}
            <br />
            {round.root}
          </span>,
        ],
      }))}
    />
  )
}

/** Red if the balance and payouts do not cover the list's total. */
function Look({ look }: Pick<Transparency['rounds'][number], 'look'>) {
  const { locale } = usePage()
  if (!look)
    return (
      <span className="text-soft">
        <Trans>not on chain yet</Trans>
      </span>
    )
  const isOut = look.minedAt >= look.leftoverFrom
  return (
    <>
      <span className={`figures ${look.fault ? 'font-semibold text-danger' : ''}`}>
        <Sourced name="rounds/look" at="/transparency#rounds.look">
          {amount(look.held, locale)} + {amount(look.claimed, locale)}
        </Sourced>
      </span>
      {look.fault ? (
        <strong className="block text-danger">
          <Trans>This does not cover the list.</Trans>
        </strong>
      ) : (
        <span className="block text-sm text-success">
          {isOut ? (
            <Trans>All claims were paid; unclaimed tokens may have left.</Trans>
          ) : (
            <Trans>This covers the list.</Trans>
          )}
        </span>
      )}
      <span className="block text-sm text-soft">
        <Trans>
          Final block {look.height}, looked at {moment(look.lookedAt, locale)}
        </Trans>
      </span>
      {look.failingSince ? (
        <strong className="block text-sm text-danger">
          <Trans>No look has succeeded since {moment(look.failingSince, locale)}.</Trans>
        </strong>
      ) : null}
    </>
  )
}

function Earlier({ of, next }: { of: 'prices' | 'changes'; next: string | null }) {
  const { locale } = usePage()
  if (next === null) return null
  return (
    <a href={`${localPath(locale, '/transparency')}?${of}=${next}#${of}`} rel="next" className="press mt-4">
      <Trans>Earlier lines</Trans>
    </a>
  )
}

function Prices({ prices }: { prices: Transparency['prices'] }) {
  const { locale } = usePage()
  return (
    <TableOf
      id="prices"
      title={<Trans>Price history</Trans>}
      head={[
        <Trans key="when">When</Trans>,
        <Trans key="price">Price</Trans>,
        <Trans key="before">Before</Trans>,
      ]}
      empty={<Trans>No price has been set yet.</Trans>}
      rows={prices.items.map((price) => ({
        key: price.at,
        cells: [
          moment(price.at, locale),
          <span key="price" className="figures font-semibold">
            <Sourced name="priceUsd">{dollars(price.priceUsd, locale, 'price')}</Sourced>
          </span>,
          <span key="before" className="figures text-soft">
            {price.previousUsd ? (
              <Sourced name="priceUsd">{dollars(price.previousUsd, locale, 'price')}</Sourced>
            ) : (
              '—'
            )}
          </span>,
        ],
      }))}
    />
  )
}

const Side = ({ text, lang }: { text: string; lang?: string | undefined }) =>
  lang ? <span lang={lang}>{text}</span> : text

function Changes({ changes }: { changes: Transparency['changes'] }) {
  const { locale } = usePage()
  const { nameOf, valueOf } = useSettingChanges()
  return (
    <TableOf
      id="changes"
      title={<Trans>Changes of the settings</Trans>}
      head={[
        <Trans key="when">When</Trans>,
        <Trans key="setting">Setting</Trans>,
        <Trans key="before">Before</Trans>,
        <Trans key="after">After</Trans>,
      ]}
      empty={<Trans>No setting that buyers rely on has been changed.</Trans>}
      stacked
      rows={changes.items.map((change, index) => ({
        key: `${change.at}-${index}`,
        cells: [
          moment(change.at, locale),
          <span key="setting" className="font-medium">
            {nameOf(change.setting)}
          </span>,
          <span key="before" data-past={change.setting} className="text-soft">
            <Side {...valueOf(change.setting, change.before, change.after)} />
          </span>,
          <span key="after" data-past={change.setting}>
            <Side {...valueOf(change.setting, change.after, change.before)} />
          </span>,
        ],
      }))}
    />
  )
}

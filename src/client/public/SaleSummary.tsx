import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Equation } from '../../shared/api/rounds.ts'
import type { FigureKey } from '../../shared/figures.ts'
import { localPath } from '../../shared/languages.ts'
import { isZero } from '../../shared/money.ts'
import type { Reserves, Transparency } from '../../shared/public-pages.ts'
import { OwedBy } from './EquationTable.tsx'
import { amount, dollars, moment } from './figures.ts'
import { Sourced, useCampaign, usePage } from './frame.tsx'

export function SaleSummary({ transparency }: { transparency: Transparency }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  const { figures, undelivered } = transparency
  const valueOf = (key: FigureKey) => figures.find((figure) => figure.key === key)?.value ?? '0'
  const usd = (key: FigureKey) => <Sourced name={key}>{dollars(valueOf(key), locale)}</Sourced>
  return (
    <>
      <dl
        className="mt-6 grid gap-x-6 border-t-2 border-ink"
        style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(14rem, 1fr))' }}
      >
        <Fact
          name={<Trans>Raised</Trans>}
          note={
            <>
              <Trans>
                {usd('raised.onChainUsd')} confirmed on chain, {usd('raised.byOperatorUsd')} approved by a
                person
              </Trans>
              {isZero(valueOf('raised.takeableUsd')) ? null : (
                <>
                  {'; '}
                  <Trans>{usd('raised.takeableUsd')} may still be taken back by buyers</Trans>
                </>
              )}
            </>
          }
        >
          {usd('raised.usd')}
        </Fact>
        <Fact
          name={<Trans>The seller still owes</Trans>}
          note={<Trans>and {usd('refundsOwedUsd')} in refunds</Trans>}
        >
          <Sourced name="undelivered/owed" at="/transparency#reserves.undelivered.owed">
            {amount(undelivered, locale)} {symbol}
          </Sourced>
        </Fact>
        <Fact
          name={<Trans>Listed for delivery</Trans>}
          note={<Trans>in published lists of who gets how much</Trans>}
        >
          <Sourced name="allocatedTokens">
            {amount(valueOf('allocatedTokens'), locale)} {symbol}
          </Sourced>
        </Fact>
        <LastCheck ledgerCheck={transparency.ledgerCheck} />
      </dl>
      <p className="mt-6 flex flex-wrap gap-3">
        <a href={localPath(locale, '/verify')} className="press press-hot">
          <Trans>Verify in this browser</Trans>
        </a>
        <a href={localPath(locale, '/reserves')} className="press">
          <Trans>Proof of reserves</Trans>
        </a>
      </p>
    </>
  )
}

function Fact({
  name,
  note,
  isText = false,
  children,
}: {
  name: ReactNode
  note: ReactNode
  isText?: boolean
  children: ReactNode
}) {
  return (
    <div className="border-b py-2.5">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className={`font-semibold wrap-anywhere ${isText ? 'text-xl' : 'figures text-2xl'}`}>{children}</dd>
      <dd className="text-sm text-soft">{note}</dd>
    </div>
  )
}

function LastCheck({ ledgerCheck }: { ledgerCheck: Reserves['ledgerCheck'] }) {
  const { locale } = usePage()
  const result = () => {
    if (!ledgerCheck) return <Trans>The ledger has not been checked yet.</Trans>
    if (ledgerCheck.broken.length > 0) return <Trans>A rule is broken.</Trans>
    if (ledgerCheck.isOld || ledgerCheck.unasked.length > 0) return <Trans>A rule gave no answer.</Trans>
    return <Trans>Every rule of the ledger held.</Trans>
  }
  return (
    <Fact
      isText
      name={<Trans>Last check</Trans>}
      note={
        <a href={`${localPath(locale, '/reserves')}#ledger-check-title`} className="under">
          {result()}
        </a>
      }
    >
      {ledgerCheck ? moment(ledgerCheck.checkedAt, locale) : '—'}
    </Fact>
  )
}

type Line = Equation['items'][number]

/** Fills differ by lightness and pattern. Pink and yellow have other meanings. */
const fills: Record<Exclude<Line['kind'], 'ledger'>, string> = {
  distributor: 'var(--ink)',
  escrow: 'color-mix(in oklab, var(--ink) 45%, var(--paper))',
  held: 'repeating-linear-gradient(45deg, var(--line-strong) 0 2px, transparent 2px 9px)',
}

export function WhereTokensAre({ equation: { items, holds } }: Pick<Transparency, 'equation'>) {
  const { t } = useLingui()
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  const parts = items.flatMap((line) =>
    line.kind === 'ledger' || Number(line.tokens) <= 0 ? [] : [{ line, fill: fills[line.kind] }],
  )
  if (parts.length === 0) return null
  return (
    <section aria-labelledby="where" className="mt-12">
      <h2 id="where" className="display text-4xl">
        <Trans>Where every sold token is</Trans>
      </h2>
      <div
        role="img"
        aria-label={t`One band: each part is as wide as its share of all tokens sold, given and granted`}
        className="mt-4 flex"
        style={{ height: '3rem', gap: 2 }}
      >
        {parts.map(({ line, fill }) => (
          <span
            key={`${line.kind} ${line.name}`}
            className="border border-ink"
            style={{ flex: `${line.tokens} 0 0`, minWidth: 4, background: fill }}
          />
        ))}
      </div>
      <ul className="mt-3 grid gap-x-6 sm:grid-cols-2">
        {parts.map(({ line, fill }) => (
          <li key={`${line.kind} ${line.name}`} className="flex items-baseline gap-3 border-b py-2">
            <span
              aria-hidden="true"
              className="size-3.5 shrink-0 border border-ink"
              style={{ background: fill }}
            />
            <span className="min-w-0 flex-1">
              {line.kind === 'held' ? (
                <Trans>In no list yet: the seller owes them</Trans>
              ) : (
                <OwedBy line={line} />
              )}
            </span>
            <Sourced name={`equation/${line.kind}/tokens`} at="/transparency#equation">
              {amount(line.tokens, locale)} {symbol}
            </Sourced>
          </li>
        ))}
      </ul>
      {holds === false ? (
        <p className="mt-3 font-semibold text-danger">
          <Trans>The parts do not match what the ledger or a contract says: see the lines below.</Trans>
        </p>
      ) : null}
    </section>
  )
}

export function WhatNoProofShows() {
  return (
    <section aria-labelledby="limits" className="mt-12 max-w-3xl">
      <h2 id="limits" className="display text-4xl">
        <Trans>What no proof shows</Trans>
      </h2>
      <ul className="mt-3 list-disc ps-5 text-soft">
        <li>
          <Trans>A seller can buy from themselves. A payment on chain does not say who sent it.</Trans>
        </li>
        <li>
          <Trans>
            Coins can be borrowed for a moment. A balance says what lay there in one block, not whose it was.
          </Trans>
        </li>
        <li>
          <Trans>An approval by hand is a person's word that the money came. No chain shows it.</Trans>
        </li>
        <li>
          <Trans>
            A place on the leaderboard is an account, not a person. One person can have several accounts.
          </Trans>
        </li>
        <li>
          <Trans>No page here says how much the token will be worth.</Trans>
        </li>
      </ul>
    </section>
  )
}

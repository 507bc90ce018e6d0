import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { localPath } from '../../shared/languages.ts'
import { type Reserves, type ReservesRow } from '../../shared/public-pages.ts'
import { amount, longDate, moment } from './figures.ts'
import { Sourced, useCampaign, usePage } from './frame.tsx'
import { WhatNoProofShows } from './SaleSummary.tsx'

export function ReservesPage({ reserves }: { reserves: Reserves }) {
  const { locale } = usePage()
  const { rows, computedAt, isShort, isBroken, ledgerCheck } = reserves
  const isFolded = (row: ReservesRow) => row.why === 'manual' && Number(row.owed) === 0
  const folded = rows.filter(isFolded)
  const money = rows.filter((row) => /refunds|escrow_money/.test(row.kind) && !isFolded(row))
  const tokens = rows.filter((row) => !/refunds|escrow_money/.test(row.kind))
  return (
    <div className="wrap py-12 lg:py-20">
      <div className="max-w-3xl">
        <h1 className="display text-title">
          <Trans>Proof of reserves</Trans>
        </h1>
        <p className="mt-4 text-lg text-soft">
          <Trans>
            The seller’s debts to buyers, beside the coins and tokens on chain for them. Read on{' '}
            {longDate(computedAt, locale)} at {computedAt.slice(11, 19)} UTC.
          </Trans>
        </p>
        {isShort ? (
          <p role="alert" className="mt-6 border-s-4 border-danger bg-danger-soft px-4 py-3 font-semibold">
            <Trans>Less is there than is owed: see the red rows.</Trans>
          </p>
        ) : rows.some(({ there }) => there !== null) ? (
          <p className="mt-6 border-s-4 border-ink bg-sunk px-4 py-3 font-semibold text-success">
            <Trans>Each balance that this site could read is as large as the published terms ask.</Trans>
          </p>
        ) : (
          <p className="mt-6 border-s-4 border-line-strong bg-sunk px-4 py-3 font-semibold">
            <Trans>This site could read no balance on chain: each row says why.</Trans>
          </p>
        )}
        {isBroken && ledgerCheck ? <Broken rules={ledgerCheck.broken} /> : null}
      </div>
      <div id="owed" className="mt-10">
        <h2 className="display text-4xl">
          <Trans>Tokens of buyers</Trans>
        </h2>
        <div className="mt-4 border-t-2 border-ink">
          {tokens.toReversed().map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </div>
        <h2 className="display mt-12 text-4xl">
          <Trans>Money of buyers</Trans>
        </h2>
        <div className="mt-4 border-t-2 border-ink">
          {money.map((row) => (
            <Row key={row.key} row={row} />
          ))}
          {folded.length > 0 ? <ByHand rows={folded} /> : null}
        </div>
      </div>
      <LedgerCheck ledgerCheck={ledgerCheck} />
      <WhatNoProofShows />
      <p className="mt-12">
        <a href={localPath(locale, '/transparency')} className="under">
          <Trans>Where every figure comes from</Trans>
        </a>
      </p>
    </div>
  )
}

function ByHand({ rows }: { rows: readonly ReservesRow[] }) {
  return (
    <p className="border-b py-6">
      <strong>
        <Trans>Confirmed by hand, and nothing is owed:</Trans>
      </strong>{' '}
      {rows.map((row, index) => (
        <span key={row.key} data-reserves={row.key} data-state={row.state}>
          {index > 0 ? ', ' : ''}
          {row.asset}
        </span>
      ))}
      .{' '}
      <span className="text-soft">
        <Trans>The site does not watch these chains, so what lies there is not known.</Trans>
      </span>
    </p>
  )
}

function Row({ row }: { row: ReservesRow }) {
  const { locale } = usePage()
  const { settings } = useCampaign()
  const asset = row.asset ?? settings.symbol
  const about = row.about ?? ''
  const isRed = row.state === 'short'
  return (
    <section
      data-reserves={row.key}
      data-state={row.state}
      className={`grid gap-x-10 gap-y-3 border-b py-6 lg:grid-cols-[1fr_16rem_16rem] ${isRed ? 'border-s-4 border-s-danger bg-danger-soft px-4' : ''}`}
    >
      <div className="min-w-0">
        <h3 className="font-semibold break-words">
          {
            {
              refunds: <Trans>Refunds owed in {asset}</Trans>,
              round: <Trans>Delivery round {about}</Trans>,
              undelivered: <Trans>Not delivered yet: the seller owes them</Trans>,
              escrow_money: <Trans>Orders' money in an escrow: {asset}</Trans>,
              escrow_tokens: <Trans>Tokens that an escrow owes</Trans>,
            }[row.kind]
          }
        </h3>
        {row.kind.startsWith('escrow') ? <p className="figures text-sm break-all">{about}</p> : null}
        <p className="mt-1 text-sm text-soft">
          <Meaning row={row} />
        </p>
        <Declared row={row} asset={asset} />
      </div>
      <div>
        <Column name={<Trans>Owed</Trans>} row={row} side="owed" asset={asset} />
        {row.since ? (
          <p className="text-sm text-soft">
            <Trans>
              The oldest since{' '}
              <Sourced name={`${row.key}/since`} at={`/transparency#reserves.${row.kind}.since`}>
                {moment(row.since, locale)}
              </Sourced>
            </Trans>
          </p>
        ) : null}
      </div>
      <div>
        <Column name={<Trans>There</Trans>} row={row} side="there" asset={asset} isRed={isRed} />
        {row.height === null ? null : (
          <p className="text-sm text-soft">
            {row.at ? (
              <Trans>
                Block {row.height}, {moment(row.at, locale)}
              </Trans>
            ) : (
              <Trans>Block {row.height}</Trans>
            )}
          </p>
        )}
        {isRed ? (
          <strong className="block text-sm text-danger">
            <Trans>This falls short.</Trans>
          </strong>
        ) : null}
      </div>
    </section>
  )
}

function Column({
  name,
  row,
  side,
  asset,
  isRed = false,
}: {
  name: ReactNode
  row: ReservesRow
  side: 'owed' | 'there'
  asset: string
  isRed?: boolean
}) {
  const { locale } = usePage()
  const value = row[side]
  return (
    <div>
      <p className="text-sm text-soft">{name}</p>
      {value === null ? (
        <p className="text-xl font-semibold">
          <Trans>Unknown</Trans>
        </p>
      ) : (
        <p className={`figures text-xl font-semibold break-words ${isRed ? 'text-danger' : ''}`}>
          <Sourced name={`${row.key}/${side}`} at={`/transparency#reserves.${row.kind}.${side}`}>
            {amount(value, locale, 18)} {asset}
          </Sourced>
        </p>
      )}
    </div>
  )
}

/** Names the seller: nobody else claims these addresses. */
function Declared({ row: { key, declared }, asset }: { row: ReservesRow; asset: string }) {
  const { locale } = usePage()
  if (!declared) return null
  return (
    <div className="mt-2 text-sm">
      <p>
        <Trans>
          Of this,{' '}
          <Sourced name={`${key}/declared`} at="/transparency#reserves.refunds.declared">
            {amount(declared.amount, locale, 18)} {asset}
          </Sourced>{' '}
          lies at addresses that the seller declares as their own:
        </Trans>
      </p>
      <ul className="figures break-all">
        {declared.addresses.map((address) => (
          <li key={address}>{address}</li>
        ))}
      </ul>
    </div>
  )
}

function Meaning({ row: { kind, state, why } }: { row: ReservesRow }) {
  const { t } = useLingui()
  if (why === 'manual')
    return t`The site does not watch this chain, so what lies there is not known: operators confirm payments by hand.`
  if (why === 'not_read')
    return t`The node of this chain gave no balances of the watched addresses, so the amount there is not known.`
  if (why === 'nodes_disagree')
    return t`Two nodes of this chain say different things of what lies there, so it is not known.`
  if (why === 'too_many_addresses')
    return t`More addresses were paid than are read at one look, so the amount there is not known.`
  if (why === 'change_unread')
    return t`This server could not open the key of a wallet, so change that came back to it was not counted. The counted coins are less than the debt; the amount there is not known.`
  if (why === 'not_final')
    return t`Payments that count already are not in the last final block that was read, so the amount there is not known for some minutes.`
  if (why === 'no_look') return t`No block has been read for this yet.`
  if (why === 'stale')
    return t`The last block that was read for this is more than three hours old, so the amount there now is not known.`
  if (why === 'other_code')
    return t`Other code stands at this address than was put in force, so nothing it says counts.`
  if (why === 'no_contract')
    return t`Bought, bonus and granted tokens that are in no delivery contract and no escrow. No contract is known that holds them for the buyers, so the amount there is not known.`
  if (state === 'not_due')
    return t`Less is there than is owed, and the published terms allow that until the delivery, or after the time for claims.`
  return {
    refunds: t`Coins at the watched addresses and, on chains like Bitcoin, at the change addresses of the same wallets, confirmed in a block and read since they are watched. Coins that the seller moved to other wallets are not counted, but for addresses named here.`,
    round: t`Unclaimed tokens of the published list, and the tokens that its distributor holds.`,
    escrow_money: t`Payments that may still be returned, and the money that the contract holds for them.`,
    escrow_tokens: t`Tokens that the contract still owes to buyers, without the claimed ones, and the tokens that it holds.`,
    undelivered: '',
  }[kind]
}

function LedgerCheck({ ledgerCheck }: Pick<Reserves, 'ledgerCheck'>) {
  const { locale } = usePage()
  return (
    <section aria-labelledby="ledger-check-title" className="mt-16 max-w-3xl">
      <h2 id="ledger-check-title" className="display text-4xl">
        <Trans>Ledger check</Trans>
      </h2>
      {ledgerCheck === null ? (
        <p className="mt-3">
          <Trans>They have not been checked yet.</Trans>
        </p>
      ) : (
        <>
          <p className="mt-3 text-soft">
            <Trans>
              Once an hour the program asks the rules of its ledger, its payments, its deliveries and its
              journal: {ledgerCheck.rules} rules, last on {moment(ledgerCheck.checkedAt, locale)}.
            </Trans>
          </p>
          {ledgerCheck.isOld && (
            <p role="alert" className="mt-3 font-semibold text-danger" data-ledger-check="old">
              <Trans>They were due again since and gave no answer: whether they hold now is not known.</Trans>
            </p>
          )}
          {ledgerCheck.unasked.length > 0 && <Unasked rules={ledgerCheck.unasked} />}
          {ledgerCheck.broken.length > 0 && (
            <p className="mt-3 font-semibold text-danger">
              <a href="#broken" className="under">
                <Trans>They do not agree: the rows that break a rule stand at the head of this page.</Trans>
              </a>
            </p>
          )}
          {ledgerCheck.broken.length + ledgerCheck.unasked.length === 0 && (
            <p className={`mt-3 font-semibold ${ledgerCheck.isOld ? '' : 'text-success'}`}>
              <Trans>All of them held.</Trans>
            </p>
          )}
        </>
      )}
    </section>
  )
}

type Asked = NonNullable<Reserves['ledgerCheck']>

function Unasked({ rules }: { rules: Asked['unasked'] }) {
  return (
    <div role="alert" className="mt-4 border-s-4 border-danger bg-danger-soft px-4 py-3">
      <p className="font-semibold text-danger">
        <Trans>These rules could not be asked: whether they hold is not known.</Trans>
      </p>
      <ul className="mt-3 grid gap-3">
        {rules.map(({ rule, says }) => (
          <li key={rule} lang="en" data-unasked={rule}>
            <code className="break-all">{rule}</code>: {says}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Broken({ rules }: { rules: Asked['broken'] }) {
  return (
    <div id="broken" role="alert" className="mt-6 border-s-4 border-danger bg-danger-soft px-4 py-3">
      <p className="font-semibold text-danger">
        <Trans>The ledger check failed. These rows break a rule:</Trans>
      </p>
      <dl className="mt-3 grid gap-3">
        {rules.map(({ rule, says, rows }) => (
          <div key={rule} data-broken={rule}>
            <dt lang="en">
              <code className="break-all">{rule}</code>: {says}
            </dt>
            {rows.map((row, index) => (
              <dd key={`${rule}-${index}`} className="figures text-sm break-all">
                {row}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </div>
  )
}

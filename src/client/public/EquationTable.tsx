import { Trans } from '@lingui/react/macro'
import type { Equation } from '../../shared/api/rounds.ts'
import { amount, moment } from './figures.ts'
import { OperatorText, Sourced, useCampaign, usePage } from './frame.tsx'
import { TableOf } from './TableOf.tsx'

type Line = Equation['items'][number]

/** No setting hides a red line. */
export function EquationTable({ equation: { holds, items, sql } }: { equation: Equation }) {
  return (
    <div data-equation={holds === null ? 'unknown' : holds ? 'holds' : 'fails'}>
      <TableOf
        id="equation"
        title={<Trans>Every sold token, line by line</Trans>}
        lead={
          <>
            <p className="text-soft">
              <Trans>
                Every token that was sold, given as bonus or granted is owed by exactly one of these lines.
                The lines must add up to the ledger’s sum, and each contract must show its line’s sum on its
                chain.
              </Trans>
            </p>
            <Verdict holds={holds} />
          </>
        }
        head={[
          <Trans key="owes">Owed by</Trans>,
          <Trans key="tokens">Tokens</Trans>,
          <Trans key="ways">Purchased + bonus + granted</Trans>,
          <Trans key="chain">On chain</Trans>,
        ]}
        empty={null}
        stacked
        rows={items.map((line) => ({
          key: `${line.kind} ${line.name}`,
          cells: [
            <OwedBy key="owes" line={line} />,
            <Tokens key="tokens" line={line} />,
            <Ways key="ways" line={line} />,
            line.kind === 'held' || line.kind === 'ledger' ? null : <Shown key="chain" line={line} />,
          ],
        }))}
      />
      <details className="mt-4">
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
  )
}

const EQUATION = '/transparency#equation'

function Verdict({ holds }: Pick<Equation, 'holds'>) {
  if (holds === null)
    return (
      <p className="mt-3 font-semibold" role="status">
        <Trans>Whether it holds is not known now: see which contracts have not been seen below.</Trans>
      </p>
    )
  return (
    <p className={`mt-3 font-semibold ${holds ? 'text-success' : 'text-danger'}`} role="status">
      {holds ? <Trans>It holds.</Trans> : <Trans>It does not hold: see the red lines below.</Trans>}
    </p>
  )
}

export function OwedBy({ line: { kind, name: given } }: { line: Line }) {
  // A round's name is its number, in every language.
  const name = kind === 'escrow' ? <OperatorText text={given ?? ''} /> : String(given)
  if (kind === 'distributor') return <Trans>Contract of delivery round {name}</Trans>
  if (kind === 'escrow') return <Trans>Escrow of {name}</Trans>
  if (kind === 'held') return <Trans>No round yet</Trans>
  return (
    <strong>
      <Trans>All of it, as the ledger says</Trans>
    </strong>
  )
}

function Tokens({ line: { kind, tokens, holds } }: { line: Line }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  const isRed = holds === false
  return (
    <>
      <span className={`figures ${kind === 'ledger' ? 'font-semibold' : ''} ${isRed ? 'text-danger' : ''}`}>
        <Sourced name={`equation/${kind}/tokens`} at={EQUATION}>
          {amount(tokens, locale)} {symbol}
        </Sourced>
      </span>
      {kind === 'ledger' && isRed ? (
        <strong className="block text-danger">
          <Trans>The lines above do not add up to this.</Trans>
        </strong>
      ) : null}
    </>
  )
}

function Ways({ line: { kind, purchased, bonus, granted } }: { line: Line }) {
  const { locale } = usePage()
  return (
    <span className="figures text-sm">
      <Sourced name={`equation/${kind}/ways`} at={EQUATION}>
        {amount(purchased, locale)} + {amount(bonus, locale)} + {amount(granted, locale)}
      </Sourced>
    </span>
  )
}

function Shown({ line }: { line: Line }) {
  const { kind, shown, waiting, height, minedAt, lookedAt, holds } = line
  const { locale } = usePage()
  if (shown === null || height === null || minedAt === null || lookedAt === null)
    return (
      <span className="text-soft">
        <Trans>not seen there yet</Trans>
      </span>
    )
  return (
    <>
      <span className={`figures ${holds === false ? 'font-semibold text-danger' : ''}`}>
        <Sourced name={`equation/${kind}/shown`} at={EQUATION}>
          {amount(shown, locale)}
        </Sourced>
      </span>{' '}
      {kind === 'escrow' ? <Trans>owed or claimed already</Trans> : <Trans>held and claimed</Trans>}
      {waiting === null || Number(waiting) === 0 ? null : (
        <span className="block text-sm text-soft">
          <Sourced name={`equation/${kind}/waiting`} at={EQUATION}>
            <Trans>
              of it {amount(waiting, locale)} for payments that the sale does not count, or not yet
            </Trans>
          </Sourced>
        </span>
      )}
      <Covers line={line} />
      <span className="block text-sm text-soft">
        <Trans>
          Final block {height} of {moment(minedAt, locale)}, looked at {moment(lookedAt, locale)}
        </Trans>
      </span>
    </>
  )
}

function Covers({ line: { unknown, holds } }: { line: Line }) {
  if (unknown === 'stale')
    return (
      <span className="block text-sm font-semibold">
        <Trans>That block is more than three hours old: the amount there now is not known.</Trans>
      </span>
    )
  if (unknown === 'nodes_disagree')
    return (
      <span className="block text-sm font-semibold">
        <Trans>Two nodes say different things since then: the amount there now is not known.</Trans>
      </span>
    )
  return (
    <span className={`block text-sm ${holds ? 'text-success' : 'font-semibold text-danger'}`}>
      {holds ? <Trans>This covers the line.</Trans> : <Trans>This is not what the ledger says.</Trans>}
    </span>
  )
}

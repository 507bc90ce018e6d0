import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { DistributorFault } from '../../shared/api/rounds.ts'
import type { Leaf } from '../../shared/merkle-tree.ts'
import type { CheckedList, Terms } from '../../shared/round-list.ts'
import { percentOfBps } from '../../shared/unlocking.ts'
import { DateTime, Percent, TokenAmount } from '../ui/numbers.tsx'
import { Notice } from '../ui/states.tsx'
import { tokensOf } from './amounts.ts'
import type { ChainLook, RowLook } from './chain-node.ts'
import { Fact } from './parts.tsx'
import { SendPart } from './SendPart.tsx'

export function Rows({
  checked: { list },
  rows,
  look,
  onMined,
}: {
  checked: CheckedList
  rows: readonly Leaf[]
  look: ChainLook | undefined
  onMined: () => void
}) {
  const { symbol } = list.sale
  return (
    <>
      <dl className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <Fact label={<Trans>Of the address in this round</Trans>}>
          <TokenAmount value={tokensOf(rows.reduce((sum, { tokens }) => sum + tokens, 0n))} unit={symbol} />
        </Fact>
        <Fact label={<Trans>Unlocking</Trans>}>
          <Schedule terms={list.distributor} />
        </Fact>
        {look ? (
          <Fact label={<Trans>Contract</Trans>}>
            <span className="figures text-sm wrap-anywhere">{look.address}</span>
          </Fact>
        ) : null}
        {look ? (
          <Fact label={<Trans>Shown by</Trans>}>
            <Trans>
              block {look.height} of <DateTime value={look.minedAt} />
            </Trans>
          </Fact>
        ) : null}
      </dl>
      {look ? null : (
        <p className="text-soft">
          <Trans>Ask a node to see the unlocked and claimed tokens.</Trans>
        </p>
      )}
      {look?.fault ? <Faulty fault={look.fault} /> : null}
      {look?.rows.map((row) => (
        <Row key={row.row.place} look={row} symbol={symbol} onMined={onMined} />
      ))}
    </>
  )
}

function Schedule({ terms: { start, schedule } }: { terms: Terms }) {
  const at = (seconds: number) => <DateTime value={new Date(seconds * 1000).toISOString()} />
  const { startBps, cliff, linear } = schedule
  if (startBps === 10_000 || cliff + linear === 0) return <Trans>All of it from {at(start)} on</Trans>
  const share = <Percent value={percentOfBps(startBps)} />
  if (linear === 0)
    return (
      <Trans>
        {share} from {at(start)} on, all of it from {at(start + cliff)} on
      </Trans>
    )
  return (
    <Trans>
      {share} from {at(start)} on, nothing more until {at(start + cliff)}, then evenly, all of it by{' '}
      {at(start + cliff + linear)}
    </Trans>
  )
}

/** Claims are still offered; the contract rejects invalid ones. */
function Faulty({ fault }: { fault: DistributorFault }) {
  const words: Partial<Record<DistributorFault, ReactNode>> = {
    distributor_missing: (
      <Trans>
        The list’s contract does not stand on this chain yet, or this node does not know of it. There is
        nothing to claim by this list.
      </Trans>
    ),
    distributor_not_funded: (
      <Trans>The contract stands, but its tokens have not been brought yet. Claims are not open.</Trans>
    ),
    distributor_short: <Trans>The contract holds fewer tokens than its list still promises.</Trans>,
  }
  return (
    <Notice tone="danger">
      {words[fault] ?? <Trans>This node does not show the published contract. Ask another node.</Trans>}
    </Notice>
  )
}

function Row({ look, symbol, onMined }: { look: RowLook; symbol: string; onMined: () => void }) {
  const due = look.unlocked - look.claimed
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3">
        <Fact label={<Trans>Tokens</Trans>}>
          <TokenAmount value={tokensOf(look.row.tokens)} unit={symbol} />
        </Fact>
        <Fact label={<Trans>Unlocked</Trans>}>
          <TokenAmount value={tokensOf(look.unlocked)} unit={symbol} />
        </Fact>
        <Fact label={<Trans>Claimed</Trans>}>
          <TokenAmount value={tokensOf(look.claimed)} unit={symbol} />
        </Fact>
      </dl>
      {due > 0n ? (
        <SendPart
          call={look.call}
          label={
            <Trans>
              Claim <TokenAmount value={tokensOf(due)} unit={symbol} />
            </Trans>
          }
          elsewhere={<Trans>Claim with another wallet</Trans>}
          lead={
            <Trans>
              Any wallet, also somebody else’s, may send this transaction and pays its fee. The tokens go to
              the address above alone.
            </Trans>
          }
          onMined={onMined}
        />
      ) : null}
      {due <= 0n && look.claimed === look.row.tokens ? (
        <p role="status">
          <Trans>All of it is claimed.</Trans>
        </p>
      ) : null}
    </div>
  )
}

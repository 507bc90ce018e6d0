import { formatDecimal } from './decimals.ts'
import type { Fold } from './fold.ts'
import { nodesByChainId, type TrustedNode } from './nodes.ts'
import type { CreditedPayment } from './payments.ts'

// The obligations for tokens sold, given and granted: docs/journal.md, “Who owes the tokens”.

export interface LiveContract {
  round: number
  chainId: number
  contract: string
  token: string | null
}

/** One contract's obligation. */
export interface EquationLine {
  /** `round 3`, or `escrow CHAIN`. */
  name: string
  contract: string | null
  /** By the journal. */
  tokens: string
  /** The distributor's balance plus payouts, or the escrow's debt; null without a node. */
  shown: string | null
  /** The line's fault. */
  fault: string | null
}

export interface Equation {
  lines: EquationLine[]
  /** Tokens that no round or escrow owes yet. */
  rest: string
  total: string
  /** True if rounds and escrows owe no more than exists, and each contract covers its part. */
  agrees: boolean
}

/** Selectors of `token()`, `state()`, `locked()`, `owed()` and `claimed()`. */
const [TOKEN, STATE, LOCKED, OWED, CLAIMED] = [
  '0xfc0c546a',
  '0xc19d93fb',
  '0xcf309012',
  '0xc87d6779',
  '0xe834a834',
] as const
/** The escrow's states: delivered, refunding. */
const [DELIVERED, REFUNDING] = [2n, 3n]

// Rules: DELIVER-22
/** From the journal; reads the contracts on chains with a node. */
export async function equationOf(
  fold: Fold,
  payments: Iterable<CreditedPayment>,
  nodes: ReadonlyMap<string, TrustedNode>,
): Promise<Equation> {
  const lines = [...(await roundLines(fold, nodes)), ...(await escrowLines(payments, nodes))]
  const total = fold.held()
  const rest = lines.reduce((left, { tokens }) => left - tokens, total)
  return {
    lines: lines.map(({ tokens, shown, ...line }) => ({
      ...line,
      tokens: formatDecimal(tokens),
      shown: shown === null ? null : formatDecimal(shown),
    })),
    rest: formatDecimal(rest),
    total: formatDecimal(total),
    agrees: rest >= 0n && lines.every(({ fault }) => fault === null),
  }
}

interface Line extends Omit<EquationLine, 'tokens' | 'shown'> {
  tokens: bigint
  shown: bigint | null
}

/** A distributor's balance plus payouts must cover its round. */
async function roundLines(
  { rounds, contracts }: Fold,
  nodes: ReadonlyMap<string, TrustedNode>,
): Promise<Line[]> {
  const byChainId = contracts.length > 0 ? await nodesByChainId(nodes) : new Map<number, TrustedNode>()
  return Promise.all(
    [...rounds].map(async ([round, tokens]) => {
      const live = contracts.find((contract) => contract.round === round)
      const node = live && byChainId.get(live.chainId)
      const line = { name: `round ${round}`, contract: live?.contract ?? null, tokens }
      if (!live?.token || !node) return { ...line, shown: null, fault: null }
      const [held, claimed] = await Promise.all([
        node.unitsOf(live.token, live.contract),
        node.read(live.contract, CLAIMED),
      ])
      const shown = held + claimed
      return { ...line, shown, fault: shown < tokens ? 'it holds and has paid out less' : null }
    }),
  )
}

/** An escrow must owe its orders' tokens, and hold them once locked or delivered. */
async function escrowLines(
  payments: Iterable<CreditedPayment>,
  nodes: ReadonlyMap<string, TrustedNode>,
): Promise<Line[]> {
  const paid: CreditedPayment[] = []
  for (const payment of payments) if (payment.output === 'paid') paid.push(payment)
  const byEscrow = Map.groupBy(paid, ({ chain, address }) => `${chain}:${address.split(':')[1]}`)
  return Promise.all(
    [...byEscrow].map(async ([escrow, its]) => {
      const [chain = '', contract = ''] = escrow.split(':')
      const tokens = its.reduce((sum, { address }) => sum + BigInt(address.split(':')[7] ?? 0), 0n)
      const line = { name: `escrow ${chain}`, contract, tokens }
      const node = nodes.get(chain)
      if (!node) return { ...line, shown: null, fault: null }
      const [owed, claimed, locked, state] = (await Promise.all(
        [OWED, CLAIMED, LOCKED, STATE].map((data) => node.read(contract, data)),
      )) as [bigint, bigint, bigint, bigint]
      const token = `0x${(await node.read(contract, TOKEN)).toString(16).padStart(40, '0')}`
      const held = await node.unitsOf(token, contract)
      const hasToHave = state === DELIVERED || (locked > 0n && state !== REFUNDING)
      const fault =
        owed < tokens
          ? 'it owes less'
          : hasToHave && held + claimed < owed
            ? 'it has less than it owes'
            : null
      return { ...line, shown: owed, fault }
    }),
  )
}

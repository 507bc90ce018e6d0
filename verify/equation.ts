import { formatDecimal } from './decimals.ts'
import type { Fold } from './fold.ts'
import { nodesByChainId, type TrustedNode } from './nodes.ts'
import type { CreditedPayment } from './payments.ts'

// Who owes the tokens that were sold, given and granted: docs/journal.md, “Who owes the tokens”.

/** A distributor whose tokens buyers claim. */
export interface LiveContract {
  round: number
  chainId: number
  contract: string
  token: string | null
}

/** What one contract owes. */
export interface EquationLine {
  /** `round 3`, or `escrow CHAIN`. */
  name: string
  /** Null for a round that was frozen and is not live. */
  contract: string | null
  /** As the journal says. */
  tokens: string
  /** What the distributor holds and has paid out, or what the escrow says it owes; null where no node was asked. */
  shown: string | null
  /** What is wrong with it. */
  fault: string | null
}

export interface Equation {
  lines: EquationLine[]
  /** Of what was sold, given and granted: what no round and no escrow owes yet. */
  rest: string
  total: string
  /** Whether rounds and escrows owe no more than there is, and each contract shows what it has to. */
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
/** As an escrow counts its states: its tokens have been delivered, or its money goes back. */
const [DELIVERED, REFUNDING] = [2n, 3n]

// Rules: DELIVER-22
/** Computes the equation from the journal, and asks the contracts of the chains for which a node was named. */
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

/** A distributor has to hold, or have paid out, all that its round was frozen with. */
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

/** An escrow has to owe what its orders stand on, and to have it once its tokens are locked or delivered. */
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
      // What an escrow took says its tokens in their smallest unit, of which a whole one has 10^18.
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

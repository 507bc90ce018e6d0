import type { Address, Hex } from 'viem'
import { encodeEventTopics, encodeFunctionData, pad } from 'viem/utils'
import { saleEscrowAbi } from '../../contracts/artifacts/abi.ts'
import saleEscrow from '../../contracts/artifacts/SaleEscrow.json' with { type: 'json' }
import { type ChainNode, read } from './chain-node.ts'
import {
  addressIn,
  type EscrowLook,
  type EscrowOrderLook,
  escrowLook,
  escrowOrderLook,
  readsOfEscrow,
  readsOfOrder,
  wordsIn,
} from './escrow-state.ts'
import type { StateRead } from './state-read.ts'

/** The order's state in the newest block. */
export interface OrderAt extends EscrowOrderLook {
  readonly orderId: Hex
  /** The zero address for the native coin. */
  readonly paidIn: Address
  readonly decimals: number
}

/** Everything is read in one block. */
export interface EscrowAt {
  readonly address: Address
  readonly chainId: number
  readonly height: number
  readonly minedAt: string
  readonly isPublished: boolean
  readonly round: EscrowLook
  readonly deliverBy: string
  /** From then on anybody can deliver. */
  readonly anyoneFrom: string
  readonly orders: readonly OrderAt[]
}

export class NoEscrow extends Error {}
/** The node does not search events; ask for the order's number. */
export class NoSearch extends Error {}

const TERMS = ['token', 'deliverBy', 'review', 'assets'] as const
const ask = (to: Address, functionName: (typeof TERMS)[number]): StateRead => ({
  to,
  data: encodeFunctionData({ abi: saleEscrowAbi, functionName }),
})
const DECIMALS: Hex = '0x313ce567'

// Rules: DELIVER-20
/**
 * Orders that the account paid or benefits from are found by events or by an order's number. Throws
 * `NoEscrow`, `NoSearch`, and the node's own errors.
 */
export async function lookAtEscrow(
  node: ChainNode,
  { escrow, account, orderId }: { escrow: Address; account: Address; orderId?: Hex | undefined },
): Promise<EscrowAt> {
  const chainId = Number(await node.request({ method: 'eth_chainId' }))
  const block = (await node.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as {
    number: Hex
    timestamp: Hex
  }
  const readAll = (reads: readonly StateRead[]) =>
    Promise.all(reads.map((one) => read(node, block.number, one)))
  const code = await read(node, block.number, { code: escrow })
  if (!code || code === '0x') throw new NoEscrow()
  const isPublished = isPublishedCode(code)
  const terms = await readAll(TERMS.map((name) => ask(escrow, name))).catch((error: unknown) => {
    // If it is an escrow, the node is at fault.
    throw isPublished ? error : new NoEscrow()
  })
  const [[token] = [], [deliverBy] = [], [review] = [], list = []] = terms.map(wordsIn)
  if (token === undefined || deliverBy === undefined || review === undefined) throw new NoEscrow()
  const assets = list.slice(2).map(addressIn)
  const [, ...figures] = await readAll(
    readsOfEscrow({ address: escrow, token: addressIn(token), assets: [] }),
  )
  const round = escrowLook(figures)
  if (!round) throw new NoEscrow()
  const ids = orderId ? [orderId] : await ordersOf(node, { escrow, account, height: Number(block.number) })
  const orders = await Promise.all(
    ids.map(async (id) => {
      const order = escrowOrderLook(await readAll(readsOfOrder(escrow, id)))
      const paidIn = assets[(order?.asset ?? 0) - 1]
      return order && paidIn
        ? { ...order, orderId: id, paidIn, decimals: await decimalsOf(paidIn, readAll) }
        : null
    }),
  )
  const at = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString()
  return {
    address: escrow,
    chainId,
    height: Number(block.number),
    minedAt: at(BigInt(block.timestamp)),
    isPublished,
    round,
    deliverBy: at(deliverBy),
    anyoneFrom: at(BigInt(round.closeAt) + review),
    orders: orders.filter((order) => order !== null),
  }
}

type ReadAll = (reads: readonly StateRead[]) => Promise<(Hex | null)[]>

async function decimalsOf(asset: Address, readAll: ReadAll): Promise<number> {
  if (BigInt(asset) === 0n) return 18
  const [answer] = await readAll([{ to: asset, data: DECIMALS }])
  return Number(wordsIn(answer)?.[0] ?? 18n)
}

/** Compares the code without the immutables. */
function isPublishedCode(code: Hex): boolean {
  const blank = (text: string) => {
    let blanked = text.toLowerCase()
    for (const places of Object.values(saleEscrow.immutableReferences))
      for (const { start, length } of places) {
        const from = 2 + 2 * start
        blanked = blanked.slice(0, from) + '0'.repeat(2 * length) + blanked.slice(from + 2 * length)
      }
    return blanked
  }
  const published = saleEscrow.deployedBytecode
  return code.length === published.length && blank(code) === blank(published)
}

interface Searched {
  readonly escrow: Address
  readonly account: Address
  readonly height: number
}

/** By the contract's events. */
async function ordersOf(node: ChainNode, { escrow, account, height }: Searched): Promise<Hex[]> {
  const [paid] = encodeEventTopics({ abi: saleEscrowAbi, eventName: 'Paid' })
  const own = pad(account.toLowerCase() as Hex)
  const budget = { left: REQUESTS_MAX }
  const found = await Promise.all(
    [
      [paid, null, own],
      [paid, null, null, own],
    ].map((topics) => logsOf(node, { address: escrow, topics }, { from: 0, to: height, budget })),
  )
  return [...new Set(found.flat().map(({ topics }) => topics[1] as Hex))]
}

/** Requests to a node that restricts the blocks of a search; each retry asks for fewer. */
const REQUESTS_MAX = 400

async function logsOf(
  node: ChainNode,
  filter: { address: Address; topics: readonly (Hex | null | undefined)[] },
  { from, to, budget }: { from: number; to: number; budget: { left: number } },
): Promise<{ topics: readonly Hex[] }[]> {
  budget.left -= 1
  if (budget.left < 0) throw new NoSearch()
  const hex = (height: number) => `0x${height.toString(16)}`
  try {
    const params = [{ ...filter, fromBlock: hex(from), toBlock: hex(to) }]
    return (await node.request({ method: 'eth_getLogs', params })) as { topics: readonly Hex[] }[]
  } catch (error) {
    if (from === to) throw error
    const middle = Math.floor((from + to) / 2)
    const later = await logsOf(node, filter, { from: middle + 1, to, budget })
    return [...(await logsOf(node, filter, { from, to: middle, budget })), ...later]
  }
}

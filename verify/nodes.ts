import { formatDecimal, parseAmount, unitsOfJson } from './decimals.ts'
import { messageOf, Unchecked } from './fault.ts'
import type { CreditedPayment } from './payments.ts'

/** Forks of Core by the journal's names. This program knows them by itself, because it takes nothing from the server's code. */
export const CORE_NETWORKS: ReadonlySet<string> = new Set(['bitcoin', 'litecoin', 'dogecoin'])
const ANSWER_WITHIN_MS = 30_000
/** How many payments are looked up at once. */
const AT_ONCE = 6
const NATIVE_DECIMALS = 18
/** Keccak-256 of `Transfer(address,address,uint256)` (ERC-20). */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Keccak-256 of `Paid(bytes32,address,address,address,uint256,uint256)`, an escrow's. */
const PAID_TOPIC = '0xa2578437648fefb21b608d6c6645dd983c01804cd3f872ebae19872913fb3313'
/** Selectors of `decimals()` and `balanceOf(address)`. */
const DECIMALS = '0x313ce567'
const BALANCE_OF = '0x70a08231'
/** How chains name transactions and outputs: one that is written in another way could be counted twice. */
const BITCOIN_TRANSACTION = /^[0-9a-f]{64}$/
const EVM_TRANSACTION = /^0x[0-9a-f]{64}$/
const OF_BALANCE = /^balance:(?:0|[1-9]\d*)(?::[1-9]\d*)?$/
const NUMBER = /^(?:0|[1-9]\d*)$/
const PLACE = /^[^:]+:0x[0-9a-f]{40}:0x[0-9a-f]{64}(?::0x[0-9a-f]{40}){3}(?::(?:0|[1-9]\d*)){2}$/
/** Of Bitcoin Core: the transaction is not there, or no block of that hash is. */
const NOT_THERE = -5

/** What a node says of a call: its result, or an error of its own. */
type Answer = { result: unknown } | { code: number; message: string }

/** A payment that the journal credits and no chain knows so. */
export interface MissingPayment {
  subject: string
  chain: string
  transaction: string
  output: string
  order: string
  reason: string
}

/** What chains that the visitor trusts say of the payments that orders stand on. */
export interface ChainReport {
  found: number
  missing: MissingPayment[]
  /** By chain: payments for which no node was named. */
  notAsked: Record<string, number>
}

/** A node that the visitor trusts. User and password may stand in its address. */
export class TrustedNode {
  private readonly url: string
  private readonly headers: Record<string, string>
  private readonly decimals = new Map<string, Promise<number>>()

  constructor(address: string) {
    const url = new URL(address)
    const login =
      url.username === ''
        ? undefined
        : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    url.username = ''
    url.password = ''
    this.url = url.href
    this.headers = {
      'content-type': 'application/json',
      ...(login !== undefined && { authorization: `Basic ${btoa(login)}` }),
    }
  }

  /** Why a payment is not on the chain as the journal says; undefined where it is. `coins` are all that the same address was paid. */
  faultOf(payment: CreditedPayment, coins: readonly CreditedPayment[]): Promise<string | undefined> {
    if (CORE_NETWORKS.has(payment.chain)) return this.faultOfOutput(payment)
    if (payment.output === 'balance') return this.faultOfBalance(payment, coins)
    if (payment.output === 'paid') return this.faultOfPaid(payment)
    return payment.asset === 'native' ? this.faultOfValue(payment) : this.faultOfTransfer(payment)
  }

  async chainId(): Promise<number> {
    return Number(await this.call('eth_chainId'))
  }

  /** The first word that a contract answers to a call. */
  async read(to: string, data: string): Promise<bigint> {
    const answer = String(await this.call('eth_call', { to, data }, 'latest'))
    if (!/^0x[0-9a-f]{64}/i.test(answer))
      throw new Unchecked(`Nothing at ${to} answers ${data.slice(0, 10)}.`)
    return BigInt(answer.slice(0, 66))
  }

  /** What an account holds of a token, in its smallest unit. */
  unitsOf(token: string, holder: string): Promise<bigint> {
    return this.read(token, BALANCE_OF + holder.slice(2).toLowerCase().padStart(64, '0'))
  }

  private async faultOfOutput({ transaction, output, address, amount, block }: CreditedPayment) {
    const ways = [[transaction, true], ...(block === null ? [] : [[transaction, true, block]])]
    let found: BitcoinTransaction | null = null
    for (const way of ways) {
      const answer = await this.ask('getrawtransaction', way)
      if ('result' in answer) found = answer.result as BitcoinTransaction | null
      else if (answer.code !== NOT_THERE) throw new Unchecked(`The node says: ${answer.message}`)
      if (found) break
    }
    if (found === null) return 'no chain knows this transaction'
    if (!((found.confirmations ?? 0) >= 1) || found.in_active_chain === false)
      return 'no block of the chain holds it'
    const paid = found.vout[Number(output)]
    const to = paid?.scriptPubKey.address ?? paid?.scriptPubKey.addresses?.[0]
    if (paid === undefined || to !== address)
      return `its output ${output} pays ${to ?? 'nothing'}, not ${address}`
    return differs(unitsOfJson(paid.value), amount)
  }

  private async faultOfValue({ transaction, address, amount }: CreditedPayment) {
    const found = (await this.call('eth_getTransactionByHash', transaction)) as {
      to: string | null
      value: string
    } | null
    const receipt = await this.receipt(transaction)
    if (found === null || receipt === null) return 'no chain knows this transaction'
    if (receipt.status !== '0x1') return 'it failed'
    if (found.to?.toLowerCase() !== address.toLowerCase()) return `it pays ${found.to}, not ${address}`
    return differs(parseAmount(amountOf(BigInt(found.value), NATIVE_DECIMALS), 18), amount)
  }

  private async faultOfTransfer({ transaction, output, address, asset, amount }: CreditedPayment) {
    const receipt = await this.receipt(transaction)
    if (receipt === null) return 'no chain knows this transaction'
    const transfers = receipt.logs.filter(
      ({ address: contract, topics, data }) =>
        contract.toLowerCase() === asset &&
        topics.length === 3 &&
        topics[0] === TRANSFER_TOPIC &&
        topics[2]?.slice(26).toLowerCase() === address.slice(2).toLowerCase() &&
        /^0x[0-9a-f]{64}$/i.test(data) &&
        BigInt(data) > 0n,
    )
    const [contract, number] = output.split('#')
    const transfer = contract === asset ? transfers[Number(number)] : undefined
    if (transfer === undefined) return `it holds no transfer ${output} to ${address}`
    return differs(parseAmount(amountOf(BigInt(transfer.data), await this.decimalsOf(asset)), 18), amount)
  }

  /** What an escrow took is named by all that the contract says of it, so there is nothing else to compare than that name, and the coin. */
  private async faultOfPaid({ transaction, address, asset, amount }: CreditedPayment) {
    const [, escrow, order = '', payer = '', beneficiary = '', coin = '', units = '', tokens = ''] =
      address.split(':')
    const receipt = await this.receipt(transaction)
    if (receipt === null) return 'no chain knows this transaction'
    const numbers = [units, tokens].map((number) => BigInt(number).toString(16))
    const words = [PAID_TOPIC, order, payer, beneficiary, coin, ...numbers]
    const said = words.map((word) => word.replace('0x', '').padStart(64, '0')).join('')
    const isPaid = receipt.logs.some(
      ({ address: contract, topics, data }) =>
        contract.toLowerCase() === escrow && [...topics, data].map((word) => word.slice(2)).join('') === said,
    )
    const isNative = asset === 'native'
    if (!isPaid || (isNative ? `0x${'0'.repeat(40)}` : asset) !== coin)
      return `it holds no payment ${address}`
    const decimals = isNative ? NATIVE_DECIMALS : await this.decimalsOf(asset)
    return differs(parseAmount(amountOf(BigInt(units), decimals), 18), amount)
  }

  /**
   * Coins that a contract sent leave no transfer: the address held all that it was paid up to that block. If it had sent some of them on,
   * it got what it was paid in that block.
   */
  private async faultOfBalance({ transaction, address }: CreditedPayment, coins: readonly CreditedPayment[]) {
    const height = heightOf(transaction)
    const held = await this.heldAt(address, height)
    let [paid, paidThen] = [0n, 0n]
    for (const one of coins) {
      const at = one.output === 'balance' ? heightOf(one.transaction) : await this.heightOf(one.transaction)
      const amount = parseAmount(one.amount, 18) ?? 0n
      if (at !== undefined && at <= height) paid += amount
      if (at === height) paidThen += amount
    }
    if (held >= paid || (await this.gotIn(address, height)) >= paidThen) return undefined
    return `${address} held ${formatDecimal(held)} then, not the ${formatDecimal(paid)} that it was paid`
  }

  /** What an address held after a block. */
  private async heldAt(address: string, height: bigint): Promise<bigint> {
    const held = BigInt((await this.call('eth_getBalance', address, hexOf(height))) as string)
    return parseAmount(amountOf(held, NATIVE_DECIMALS), 18) ?? 0n
  }

  /** What an address got in a block: what it held more afterwards, and what it sent. */
  private async gotIn(address: string, height: bigint): Promise<bigint> {
    const before = await this.heldAt(address, height - 1n)
    const block = (await this.call('eth_getBlockByNumber', hexOf(height), true)) as Block | null
    let sent = 0n
    for (const { hash, from, value } of block?.transactions ?? []) {
      if (from.toLowerCase() !== address.toLowerCase()) continue
      const receipt = await this.receipt(hash)
      if (receipt === null) continue
      const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
      sent += fee + (receipt.status === '0x1' ? BigInt(value) : 0n)
    }
    const got = (await this.heldAt(address, height)) - before
    return got + (parseAmount(amountOf(sent, NATIVE_DECIMALS), 18) ?? 0n)
  }

  /** The block of a transaction; undefined where there is none. */
  private async heightOf(transaction: string): Promise<bigint | undefined> {
    const receipt = await this.receipt(transaction)
    return receipt === null ? undefined : BigInt(receipt.blockNumber)
  }

  private async receipt(transaction: string): Promise<Receipt | null> {
    return (await this.call('eth_getTransactionReceipt', transaction)) as Receipt | null
  }

  private decimalsOf(token: string): Promise<number> {
    const known = this.decimals.get(token)
    if (known) return known
    const asked = this.call('eth_call', { to: token, data: DECIMALS }, 'latest').then(Number)
    this.decimals.set(token, asked)
    return asked
  }

  private async call(method: string, ...params: unknown[]): Promise<unknown> {
    const answer = await this.ask(method, params)
    if ('result' in answer) return answer.result
    throw new Unchecked(`The node says: ${answer.message}`)
  }

  private async ask(method: string, params: readonly unknown[]): Promise<Answer> {
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: this.headers,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      const { result, error } = parseAsWritten(await response.text(), coinsAsWritten) as {
        result?: unknown
        error?: Answer & { code: number }
      }
      return error ? (error as Answer) : { result: result ?? null }
    } catch (error) {
      throw new Unchecked(`The node at ${this.url} did not answer: ${messageOf(error)}`)
    }
  }
}

/** `JSON.parse`, whose function is told how a value is written, too: the compiler does not know that yet. */
const parseAsWritten = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown

/** Coins stay a text: as a binary float 150,000,000.12345679 DOGE were one unit less. */
const coinsAsWritten = (key: string, value: unknown, { source }: { source?: string }) =>
  key === 'value' && typeof value === 'number' ? source : value

interface BitcoinTransaction {
  confirmations?: number
  in_active_chain?: boolean
  vout: { value: string; scriptPubKey: { address?: string; addresses?: string[] } }[]
}

interface Block {
  transactions: { hash: string; from: string; value: string }[]
}

interface Receipt {
  status: string
  blockNumber: string
  gasUsed: string
  effectiveGasPrice: string
  logs: { address: string; topics: string[]; data: string }[]
}

/** Whether transaction and output are written as the chain has them: then no other name is the same payment's. */
function isNamedByChain({ chain, transaction, output, address, asset }: CreditedPayment): boolean {
  if (CORE_NETWORKS.has(chain)) return BITCOIN_TRANSACTION.test(transaction) && NUMBER.test(output)
  if (output === 'balance') return asset === 'native' && OF_BALANCE.test(transaction)
  if (!EVM_TRANSACTION.test(transaction)) return false
  if (output === 'paid') return PLACE.test(address) && address.startsWith(`${chain}:`)
  return asset === 'native' ? output === 'value' : NUMBER.test(output.slice(output.indexOf('#') + 1))
}

const hexOf = (height: bigint) => `0x${height.toString(16)}`

/** The block that stands in the name of coins which left no transfer. */
const heightOf = (transaction: string) => BigInt(transaction.split(':')[1] ?? '')

/** What is the same for all names of a payment, however its address is written. */
const paymentOf = ({ chain, transaction, output, address }: CreditedPayment) =>
  `${chain} ${transaction} ${output} ${CORE_NETWORKS.has(chain) ? address : address.toLowerCase()}`

/** The coins of its own that an address of an EVM chain was paid. */
const purseOf = ({ chain, address }: CreditedPayment) => `${chain} ${address.toLowerCase()}`

/** Units of 10^-decimals as the journal writes an amount. */
function amountOf(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`.replace(
    /\.?0*$/,
    '',
  )
}

function differs(found: bigint | undefined, amount: string): string | undefined {
  if (found === parseAmount(amount, 18)) return undefined
  return `it brought ${found === undefined ? 'something else' : formatDecimal(found)}, not ${amount}`
}

// Rules: LOG-26
/** Looks every payment up at the node of its chain. */
export async function lookUp(
  nodes: ReadonlyMap<string, TrustedNode>,
  payments: readonly CreditedPayment[],
  onProgress?: (done: number, size: number) => void,
): Promise<ChainReport> {
  const report: ChainReport = { found: 0, missing: [], notAsked: {} }
  for (const { chain } of payments) {
    if (!nodes.has(chain)) report.notAsked[chain] = (report.notAsked[chain] ?? 0) + 1
  }
  const asked = payments.filter(({ chain }) => nodes.has(chain))
  const named = asked.filter(isNamedByChain)
  const firsts = new Map(named.toReversed().map((payment) => [paymentOf(payment), payment]))
  const coins = Map.groupBy(
    [...firsts.values()].filter(({ output }) => output === 'balance' || output === 'value'),
    purseOf,
  )
  const faultOf = async (payment: CreditedPayment) => {
    if (!isNamedByChain(payment)) return 'no chain names a payment so'
    const first = firsts.get(paymentOf(payment))
    if (first !== payment) return `it is ${first?.subject} once more`
    return (nodes.get(payment.chain) as TrustedNode).faultOf(payment, coins.get(purseOf(payment)) ?? [])
  }
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const part = asked.slice(at, at + AT_ONCE)
    const faults = await Promise.all(part.map(faultOf))
    for (const [index, { subject, chain, transaction, output, order }] of part.entries()) {
      const reason = faults[index]
      if (reason === undefined) report.found += 1
      else report.missing.push({ subject, chain, transaction, output, order, reason })
    }
    onProgress?.(Math.min(at + AT_ONCE, asked.length), asked.length)
  }
  return report
}

/** The nodes whose chains have contracts, by chain id. */
export async function nodesByChainId(
  nodes: ReadonlyMap<string, TrustedNode>,
): Promise<ReadonlyMap<number, TrustedNode>> {
  const evm = [...nodes].filter(([chain]) => !CORE_NETWORKS.has(chain)).map(([, node]) => node)
  return new Map(await Promise.all(evm.map(async (node) => [await node.chainId(), node] as const)))
}

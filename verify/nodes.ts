import { formatDecimal, parseAmount, unitsOfJson } from './decimals.ts'
import { messageOf, Unchecked } from './fault.ts'
import type { CreditedPayment } from './payments.ts'

/** Forks of Core by the journal's names, known here because the verifier uses no server code. */
export const CORE_NETWORKS: ReadonlySet<string> = new Set(['bitcoin', 'litecoin', 'dogecoin'])
const ANSWER_WITHIN_MS = 30_000
/** Payments looked up in parallel. */
const AT_ONCE = 6
const NATIVE_DECIMALS = 18
/** Keccak-256 of `Transfer(address,address,uint256)` (ERC-20). */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Keccak-256 of an escrow's `Paid(bytes32,address,address,address,uint256,uint256)`. */
const PAID_TOPIC = '0xa2578437648fefb21b608d6c6645dd983c01804cd3f872ebae19872913fb3313'
/** Selectors of `decimals()` and `balanceOf(address)`. */
const DECIMALS = '0x313ce567'
const BALANCE_OF = '0x70a08231'
/** The chains' spelling of transactions and outputs; another spelling could be counted twice. */
const BITCOIN_TRANSACTION = /^[0-9a-f]{64}$/
const EVM_TRANSACTION = /^0x[0-9a-f]{64}$/
const OF_BALANCE = /^balance:(?:0|[1-9]\d*)(?::[1-9]\d*)?$/
const NUMBER = /^(?:0|[1-9]\d*)$/
const PLACE = /^[^:]+:0x[0-9a-f]{40}:0x[0-9a-f]{64}(?::0x[0-9a-f]{40}){3}(?::(?:0|[1-9]\d*)){2}$/
/** Bitcoin Core's code for an unknown transaction or block. */
const NOT_THERE = -5

type Answer = { result: unknown } | { code: number; message: string }

/** A payment credited by the journal that its chain does not show like that. */
export interface MissingPayment {
  subject: string
  chain: string
  transaction: string
  output: string
  order: string
  reason: string
}

/** The trusted chains' answers about payments behind orders. */
export interface ChainReport {
  found: number
  missing: MissingPayment[]
  /** By chain: payments without a node. */
  notAsked: Record<string, number>
}

/** A node that the visitor trusts. Its address may contain user and password. */
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

  /**
   * Undefined if the payment is on its chain as in the journal. `coins` are all native payments to the same
   * address.
   */
  faultOf(payment: CreditedPayment, coins: readonly CreditedPayment[]): Promise<string | undefined> {
    if (CORE_NETWORKS.has(payment.chain)) return this.faultOfOutput(payment)
    if (payment.output === 'balance') return this.faultOfBalance(payment, coins)
    if (payment.output === 'paid') return this.faultOfPaid(payment)
    return payment.asset === 'native' ? this.faultOfValue(payment) : this.faultOfTransfer(payment)
  }

  async chainId(): Promise<number> {
    return Number(await this.call('eth_chainId'))
  }

  async read(to: string, data: string): Promise<bigint> {
    const answer = String(await this.call('eth_call', { to, data }, 'latest'))
    if (!/^0x[0-9a-f]{64}/i.test(answer))
      throw new Unchecked(`Nothing at ${to} answers ${data.slice(0, 10)}.`)
    return BigInt(answer.slice(0, 66))
  }

  /** In the smallest unit. */
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

  /** An escrow payment's place has all its terms, so only that and the coin are compared. */
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
   * Coins sent by a contract leave no transfer. The address must have held all its payments up to that block
   * or, if it had forwarded some, received the amount in that block.
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

  private async heldAt(address: string, height: bigint): Promise<bigint> {
    const held = BigInt((await this.call('eth_getBalance', address, hexOf(height))) as string)
    return parseAmount(amountOf(held, NATIVE_DECIMALS), 18) ?? 0n
  }

  /** An address's income in a block: the increase plus its spending. */
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

  /** A transaction's block; undefined if there is none. */
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

/** `JSON.parse` with the source text of values, which the compiler's types lack. */
const parseAsWritten = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown

/** Keeps coins as text: as a float, 150,000,000.12345679 DOGE loses a unit. */
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

/** True if transaction and output are in the chain's spelling, so that the payment has no other name. */
function isNamedByChain({ chain, transaction, output, address, asset }: CreditedPayment): boolean {
  if (CORE_NETWORKS.has(chain)) return BITCOIN_TRANSACTION.test(transaction) && NUMBER.test(output)
  if (output === 'balance') return asset === 'native' && OF_BALANCE.test(transaction)
  if (!EVM_TRANSACTION.test(transaction)) return false
  if (output === 'paid') return PLACE.test(address) && address.startsWith(`${chain}:`)
  return asset === 'native' ? output === 'value' : NUMBER.test(output.slice(output.indexOf('#') + 1))
}

const hexOf = (height: bigint) => `0x${height.toString(16)}`

/** The block in the name of coins without a transfer. */
const heightOf = (transaction: string) => BigInt(transaction.split(':')[1] ?? '')

/** Equal for all spellings of a payment's address. */
const paymentOf = ({ chain, transaction, output, address }: CreditedPayment) =>
  `${chain} ${transaction} ${output} ${CORE_NETWORKS.has(chain) ? address : address.toLowerCase()}`

const purseOf = ({ chain, address }: CreditedPayment) => `${chain} ${address.toLowerCase()}`

/** Formats units of 10^-decimals like the journal. */
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

export async function nodesByChainId(
  nodes: ReadonlyMap<string, TrustedNode>,
): Promise<ReadonlyMap<number, TrustedNode>> {
  const evm = [...nodes].filter(([chain]) => !CORE_NETWORKS.has(chain)).map(([, node]) => node)
  return new Map(await Promise.all(evm.map(async (node) => [await node.chainId(), node] as const)))
}

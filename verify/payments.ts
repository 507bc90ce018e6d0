import { HALF_DOLLAR, parseAmount, product, quotient, WHOLE } from './decimals.ts'
import { EntryError, type Fields } from './entries.ts'
import { FlatMap } from './flat-map.ts'

/** A payment behind an order, as on its chain. */
export interface CreditedPayment {
  subject: string
  chain: string
  transaction: string
  output: string
  address: string
  /** The block's hash at the time of the entry; null without one. */
  block: string | null
  /** `native`, or a token's contract. */
  asset: string
  currency: string
  amount: string
  credited: string
  order: string
}

/** An on-chain approval's needs: tokens, and the terms of conversion. */
export interface Needs {
  base: bigint
  currency: string
  /** Null if the journal lacks it: then any credited payment suffices. */
  rate: bigint | null
  priceUsd: bigint | null
}

// Rules: LOG-26
/** No payment may support two orders, and each on-chain approval needs enough. */
export class PaymentFold {
  /** By chain name (`KEYS`): the last statement (`SAID`); both as JSON. */
  private readonly payments = new FlatMap()
  /** By order: coins, a space and their common currency; empty without payments. */
  private readonly credited = new FlatMap()
  private readonly uncovered = new Set<string>()
  private readonly stray = new Set<string>()
  private readonly needsOf: (order: string) => Needs | 'operator' | undefined

  /** `needsOf` returns an approved order's needs; undefined for others. */
  constructor(needsOf: (order: string) => Needs | 'operator' | undefined) {
    this.needsOf = needsOf
  }

  /** Orders approved on chain without enough payments. */
  get uncoveredOrders(): number {
    return this.uncovered.size
  }

  /** Orders with credited payments that are not approved. */
  get strayOrders(): number {
    return this.stray.size
  }

  *standing(): Generator<CreditedPayment> {
    for (const [name, said] of this.payments.entries()) {
      const payment = parsed(name, said)
      if (payment.credited !== '0') yield payment
    }
  }

  take(fields: Fields): bigint {
    const payment = Object.fromEntries(
      [...KEYS, ...SAID].map((name) => [name, fields[name]]),
    ) as unknown as CreditedPayment
    const { transaction, order, subject, currency } = payment
    const name = JSON.stringify(KEYS.map((field) => payment[field]))
    const last = this.payments.get(name)
    const before = last === undefined ? undefined : parsed(name, last)
    const [was, is] = [amountOf(before?.credited ?? '0'), amountOf(payment.credited)]
    if (is > amountOf(payment.amount)) {
      throw new EntryError(`Of ${payment.amount} that ${subject} brought, ${payment.credited} are credited.`)
    }
    for (const same of SAME) {
      if (before === undefined || before[same] === payment[same]) continue
      throw new EntryError(
        `The payment ${transaction} had the ${same} ${before[same]}, not ${payment[same]}.`,
      )
    }
    if (was !== 0n && is !== 0n && before?.order !== order) {
      throw new EntryError(
        `The payment ${transaction} is credited to the order ${before?.order}, and to ${order}.`,
      )
    }
    const paidIn = this.creditedTo(order)?.currency
    if (is !== 0n && paidIn !== undefined && paidIn !== currency)
      throw new EntryError(`The order ${order} is paid in ${paidIn}, and in ${currency}.`)
    this.payments.set(name, JSON.stringify(SAID.map((field) => payment[field])))
    this.add(before?.order ?? order, -was, currency)
    this.add(order, is, currency)
    return is - was
  }

  /** Re-evaluates an order after a change of its approval or payments. */
  judge(order: string): void {
    const needs = this.needsOf(order)
    const credited = this.creditedTo(order)
    const isShort = needs !== undefined && needs !== 'operator' && !isPaid(needs, credited)
    mark(this.uncovered, order, isShort)
    mark(this.stray, order, needs === undefined && credited !== undefined)
  }

  private add(order: string, amount: bigint, currency: string): void {
    const before = this.creditedTo(order)
    const coins = (before?.coins ?? 0n) + amount
    if (before !== undefined || coins !== 0n)
      this.credited.set(order, coins === 0n ? '' : `${coins} ${before?.currency ?? currency}`)
    this.judge(order)
  }

  private creditedTo(order: string): { coins: bigint; currency: string } | undefined {
    const said = this.credited.get(order)
    if (!said) return undefined
    const blank = said.indexOf(' ')
    return { coins: BigInt(said.slice(0, blank)), currency: said.slice(blank + 1) }
  }
}

const SAME = ['subject', 'asset', 'currency'] as const
const KEYS = ['chain', 'transaction', 'output', 'address'] as const
const SAID = [...SAME, 'block', 'amount', 'credited', 'order'] as const

function parsed(name: string, said: string): CreditedPayment {
  const named = (fields: readonly string[], text: string) =>
    (JSON.parse(text) as readonly (string | null)[]).map((value, at) => [fields[at], value])
  return Object.fromEntries([...named(KEYS, name), ...named(SAID, said)]) as unknown as CreditedPayment
}

const amountOf = (text: string) => parseAmount(text, 18) as bigint

function mark(set: Set<string>, order: string, is: boolean): void {
  if (is) set.add(order)
  else set.delete(order)
}

/** Coins have at least six decimals, so rounding may cause two units of the sixth. */
const ROUNDING = (2n * WHOLE) / 1_000_000n

const isPaid = (needs: Needs, credited: { coins: bigint; currency: string } | undefined) =>
  isCovered(needs, credited?.currency === needs.currency ? credited.coins : 0n)

/** True if the shortfall is at most the smaller of half a percent and half a dollar. */
function isCovered({ base, rate, priceUsd }: Needs, credited: bigint): boolean {
  if (rate === null || priceUsd === null) return credited > 0n
  const share = base / 200n
  const dollars = quotient(HALF_DOLLAR, priceUsd)
  const allowed = (share < dollars ? share : dollars) + product(rate, ROUNDING)
  const bought = product(credited, rate)
  return bought >= base - allowed && bought <= base + allowed
}

import { HALF_DOLLAR, parseAmount, product, quotient, WHOLE } from './decimals.ts'
import { EntryError, type Fields } from './entries.ts'
import { FlatMap } from './flat-map.ts'

/** A payment on which an order stands, as a chain shows it. */
export interface CreditedPayment {
  /** The row of the site's database that it is. */
  subject: string
  chain: string
  transaction: string
  output: string
  address: string
  /** The hash of the block that held it when it was said; null where none does. */
  block: string | null
  /** `native`, or the contract of a token. */
  asset: string
  currency: string
  amount: string
  credited: string
  order: string
}

/** What an approval by a chain needs: tokens, and the terms on which coins became tokens. */
export interface Needs {
  base: bigint
  currency: string
  /** Null where the journal does not know it: any credited payment does. */
  rate: bigint | null
  priceUsd: bigint | null
}

// Rules: LOG-26
/** Which payments orders stand on; none may carry two, and each order that a chain approved needs enough of them. */
export class PaymentFold {
  /** By what a chain names it (`KEYS`): what was said of it last (`SAID`); both as JSON of their fields. */
  private readonly payments = new FlatMap()
  /** By order: coins and, behind a blank, their currency, which all of them are of; empty where there are none. */
  private readonly credited = new FlatMap()
  private readonly uncovered = new Set<string>()
  private readonly stray = new Set<string>()
  private readonly needsOf: (order: string) => Needs | 'operator' | undefined

  /** `needsOf` says of an order that stands approved what it needs; undefined of any other. */
  constructor(needsOf: (order: string) => Needs | 'operator' | undefined) {
    this.needsOf = needsOf
  }

  /** Orders that a chain approved and that payments do not cover. */
  get uncoveredOrders(): number {
    return this.uncovered.size
  }

  /** Orders that do not stand approved and to which payments are credited. */
  get strayOrders(): number {
    return this.stray.size
  }

  /** The payments that orders stand on now. */
  *standing(): Generator<CreditedPayment> {
    for (const [name, said] of this.payments.entries()) {
      const payment = parsed(name, said)
      if (payment.credited !== '0') yield payment
    }
  }

  /** Takes an entry; answers by how much what is credited of its currency has changed. */
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

  /** Looks at an order again, because its approval or its payments changed. */
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

/** What `take` keeps. */
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

/** Coins are given with six decimals or more, so an order may lack or exceed two units of the sixth. */
const ROUNDING = (2n * WHOLE) / 1_000_000n

const isPaid = (needs: Needs, credited: { coins: bigint; currency: string } | undefined) =>
  isCovered(needs, credited?.currency === needs.currency ? credited.coins : 0n)

/** Short by at most half a per cent or half a dollar, whichever is less: that much a payment may fall short. */
function isCovered({ base, rate, priceUsd }: Needs, credited: bigint): boolean {
  if (rate === null || priceUsd === null) return credited > 0n
  const share = base / 200n
  const dollars = quotient(HALF_DOLLAR, priceUsd)
  const allowed = (share < dollars ? share : dollars) + product(rate, ROUNDING)
  const bought = product(credited, rate)
  return bought >= base - allowed && bought <= base + allowed
}

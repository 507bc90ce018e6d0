import { createHash } from 'node:crypto'
import { LogWriter } from './log-writer.ts'

// A sale for tests: each event becomes an entry, and figures are computed from the state, not from entries.

export type Way = 'chain' | 'operator'

interface Order {
  name: string
  approval: number
  stage: number
  way: Way
  price: bigint
  base: bigint
  bonus: bigint
  cents: bigint
  isApproved: boolean
}

interface Refund {
  id: string
  cents: bigint
  isOwed: boolean
}

interface DayEvent {
  day: string
  way: Way
  cents: bigint
  base: bigint
}

/** Formats `units` of 10^-digits. */
export function decimal(units: bigint, digits: number): string {
  const sign = units < 0n ? '-' : ''
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0')
  const fraction = text.slice(-digits).replace(/0+$/, '')
  return `${sign}${text.slice(0, -digits)}${fraction && `.${fraction}`}`
}

export const orderName = (token: string) => createHash('sha256').update(token).digest('hex')

const START = Date.parse('2026-11-01T10:00:00.000Z')
const HOUR_MS = 3_600_000
const sum = <T>(items: readonly T[], units: (item: T) => bigint) =>
  items.reduce((all, item) => all + units(item), 0n)

export class Sale {
  readonly log: LogWriter
  /** Time between entries. */
  private readonly stepMs: number
  private readonly orders: Order[] = []
  private readonly last = new Map<string, Order>()
  private readonly days: DayEvent[] = []
  private readonly grants: { row: string; units: bigint; stands: boolean }[] = []
  private readonly refunds: Refund[] = []
  private price = 1_250_000_00n
  private rows = 0
  readonly settings: Record<string, unknown> = {
    hardCapUsd: '1000000',
    levels: [{ usd: '100' }],
    name: 'iToken',
  }
  readonly stages = [1, 2].map((id) => ({
    id,
    name: `Stage ${id}` as string | Record<string, string>,
    goalUsd: id === 1 ? '1000' : '50000',
    priceUsd: '1.25',
    startsAt: `2026-1${id}-01T00:00:00.000Z`,
    endsAt: `2026-1${id}-28T00:00:00.000Z`,
  }))

  constructor(log = new LogWriter(), stepMs = HOUR_MS) {
    this.log = log
    this.stepMs = stepMs
    const campaign = structuredClone({
      priceUsd: this.priceUsd,
      settings: this.settings,
      stages: this.stages,
    })
    const entry = { v: 1, kind: 'journal.opened', at: this.now, row: 'journal/0' }
    log.append({ ...entry, origin: log.origin, vkey: log.key.vkey, campaign })
  }

  private get priceUsd(): string {
    return decimal(this.price, 8)
  }

  private get now(): string {
    return new Date(START + this.rows * this.stepMs).toISOString()
  }

  private write(kind: string, fields: Record<string, unknown>, table = 'postings'): string {
    this.rows += 1
    const row = `${table}/${this.rows}`
    this.log.append({ v: 1, kind, at: this.now, row, ...fields })
    return row
  }

  approve(token: string, base: bigint, { way = 'chain' as Way, stage = 1, bonus = base / 10n } = {}): void {
    const name = orderName(token)
    const earlier = this.last.get(name)
    const cents = (base * this.price + 500_000_000_000n) / 1_000_000_000_000n
    const order = {
      name,
      approval: (earlier?.approval ?? 0) + 1,
      stage,
      way,
      price: this.price,
      base,
      bonus,
      cents,
      isApproved: true,
    }
    this.orders.push(order)
    this.last.set(name, order)
    this.write('order.approved', {
      ...termsOf(order),
      currency: 'BTC',
      rate: '0.5',
      priceUsd: this.priceUsd,
    })
    this.days.push({ day: this.now.slice(0, 10), way, cents, base })
    if (way === 'chain') this.credit(order, 2n * base)
  }

  reverse(token: string): void {
    const order = this.last.get(orderName(token)) as Order
    order.isApproved = false
    this.write('order.reversed', { ...termsOf(order), by: 'operator' })
    this.days.push({ day: this.now.slice(0, 10), way: order.way, cents: -order.cents, base: -order.base })
    if (order.way === 'chain') this.credit(order, 0n)
  }

  private credit({ name, approval, base }: Order, credited: bigint): void {
    const payment = `payments/${name.slice(0, 8)}.${approval}`
    const fields = {
      subject: payment,
      chain: 'bitcoin',
      transaction: `${name.slice(0, 62)}${String(approval).padStart(2, '0')}`,
      output: '0',
      address: `bc1q${name.slice(0, 38)}`,
      block: 'ee'.repeat(32),
      asset: 'native',
      currency: 'BTC',
      amount: decimal(2n * base, 6),
      credited: decimal(credited, 6),
      order: name,
    }
    this.write('payment.credited', fields, 'journal_facts')
  }

  say(kind: string, fields: Record<string, unknown>): void {
    this.write(kind, fields, 'journal_facts')
  }

  grant(units: bigint): string {
    const row = this.write('grant.added', { tokens: decimal(units, 6) })
    this.grants.push({ row, units, stands: true })
    return row
  }

  ungrant(row: string): void {
    const grant = this.grants.find((one) => one.row === row) as Sale['grants'][number]
    grant.stands = false
    this.write('grant.reversed', { tokens: decimal(grant.units, 6), reverses: row })
  }

  refund(kind: 'owed' | 'paid' | 'unpaid' | 'written_off', id: string, cents: bigint): void {
    const fields = {
      refund: id,
      order: null,
      currency: 'BTC',
      amount: decimal(cents, 8),
      usd: decimal(cents, 2),
    }
    this.write(`refund.${kind}`, kind === 'paid' ? { ...fields, transaction: 'ab'.repeat(32) } : fields)
    const refund = this.refunds.find((one) => one.id === id)
    const isOwed = kind === 'owed' || kind === 'unpaid'
    if (refund) refund.isOwed = isOwed
    else this.refunds.push({ id, cents, isOwed })
  }

  freeze(round: number, units: bigint): void {
    const fields = { round, tokens: decimal(units, 6), root: `0x${'cd'.repeat(32)}`, sha256: 'ab'.repeat(32) }
    this.write('round.frozen', fields)
  }

  setSetting(name: string, after: unknown, written = after): void {
    this.write('setting.changed', { setting: name, before: this.settings[name] ?? null, after: written })
    this.settings[name] = after
  }

  setStageName(id: number, name: string | Record<string, string>): void {
    const stage = this.stages.find((one) => one.id === id) as Sale['stages'][number]
    this.write('setting.changed', { setting: `stages.${id}.name`, before: stage.name, after: name })
    stage.name = name
  }

  /** The entries so far. */
  entries(): { row: string }[] {
    return this.log.entries.map((entry) => JSON.parse(entry.toString()) as { row: string })
  }

  setGoal(goalUsd: string): void {
    const stage = this.stages[0] as Sale['stages'][number]
    this.write('setting.changed', {
      setting: `stages.${stage.id}.goalUsd`,
      before: stage.goalUsd,
      after: goalUsd,
    })
    stage.goalUsd = goalUsd
  }

  setPrice(price: bigint): void {
    const previousUsd = this.priceUsd
    this.price = price
    this.write('price.changed', { priceUsd: this.priceUsd, previousUsd, reason: 'because' })
    const at = Date.parse(this.now)
    const open = this.stages.find(
      ({ startsAt, endsAt }) => Date.parse(startsAt) <= at && at < Date.parse(endsAt),
    )
    if (open) open.priceUsd = this.priceUsd
  }

  orderRows(): string {
    const standing = this.orders.filter(({ isApproved }) => isApproved)
    const lines = standing.map(({ name, stage, base, bonus, cents, way }) => {
      const dollars = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
      return `${name},2026-11-01,Stage ${stage},BTC,${decimal(base, 6)},${decimal(bonus, 6)},${dollars},${way}\r\n`
    })
    return `order,day,stage,currency,base,bonus,dollars,approved_by\r\n${lines.join('')}`
  }

  /** The campaign API's answer. */
  campaign() {
    const standing = this.orders.filter(({ isApproved }) => isApproved)
    const ofWay = <T extends { way: Way }>(items: readonly T[], way: Way) =>
      items.filter((item) => item.way === way)
    const usd = (items: readonly { cents: bigint }[]) =>
      decimal(
        sum(items, ({ cents }) => cents),
        2,
      )
    const tokens = (items: readonly { base: bigint }[]) =>
      decimal(
        sum(items, ({ base }) => base),
        6,
      )
    const bonus = (items: readonly Order[]) =>
      decimal(
        sum(items, (order) => order.bonus),
        6,
      )
    const raised = (items: readonly (Order | DayEvent)[]) => ({
      raisedUsd: usd(items),
      raisedOnChainUsd: usd(ofWay(items, 'chain')),
      raisedByOperatorUsd: usd(ofWay(items, 'operator')),
      purchasedTokens: tokens(items),
    })
    const { raisedUsd, raisedOnChainUsd, raisedByOperatorUsd, purchasedTokens } = raised(standing)
    return {
      settings: structuredClone(this.settings),
      priceUsd: this.priceUsd,
      raised: { usd: raisedUsd, onChainUsd: raisedOnChainUsd, byOperatorUsd: raisedByOperatorUsd },
      purchasedTokens,
      bonusTokens: bonus(standing),
      grantedTokens: decimal(
        sum(
          this.grants.filter(({ stands }) => stands),
          ({ units }) => units,
        ),
        6,
      ),
      refundsOwedUsd: usd(this.refunds.filter(({ isOwed }) => isOwed)),
      approvedOrders: {
        onChain: ofWay(standing, 'chain').length,
        byOperator: ofWay(standing, 'operator').length,
      },
      leftTokens: '12345',
      stages: this.stages.map((stage) => {
        const orders = standing.filter((order) => order.stage === stage.id)
        const hundredths = Number((sum(orders, ({ cents }) => cents) * 100n) / BigInt(stage.goalUsd))
        const progressPercent =
          hundredths < 100 ? String(hundredths / 100) : String(Math.min(100, Math.floor(hundredths / 100)))
        return { ...stage, state: 'open', ...raised(orders), bonusTokens: bonus(orders), progressPercent }
      }),
      days: [...new Set(this.days.map(({ day }) => day))].map((day) => ({
        day,
        ...raised(this.days.filter((event) => event.day === day)),
      })),
    }
  }
}

function termsOf({ name, approval, stage, way, base, bonus, cents }: Order) {
  const amounts = { base: decimal(base, 6), bonus: decimal(bonus, 6), usd: decimal(cents, 2) }
  return { order: name, approval, stage, way, ...amounts }
}

/**
 * Two orders, one approved by an operator, a third reversed and approved again, a grant, refunds, changes, a
 * round.
 */
export function exampleSale(): Sale {
  const sale = new Sale()
  sale.approve('a', 100_000_000n)
  sale.approve('b', 33_333_333n, { way: 'operator' })
  sale.setPrice(2_000_000_00n)
  sale.approve('c', 1_000_000n, { stage: 2 })
  sale.reverse('c')
  sale.approve('c', 1_000_000n, { stage: 2 })
  sale.ungrant(sale.grant(5_000_000n))
  sale.grant(7_500_000n)
  sale.refund('owed', '1', 1_234n)
  sale.refund('paid', '1', 1_234n)
  sale.refund('unpaid', '1', 1_234n)
  sale.refund('owed', '2', 99n)
  sale.refund('written_off', '2', 99n)
  sale.setSetting('hardCapUsd', '2000000')
  sale.setGoal('2000')
  sale.freeze(1, 42_500_000n)
  return sale
}

import { Exact } from './exact.ts'
import {
  firstSeen,
  isAlive,
  isShown,
  MINED_WITHIN,
  type Payment,
  Payments,
  type Reading,
  type TruePayment,
} from './payments.ts'
import { type Bringing, BY_HAND_AFTER, type ReferralTerms, Rewards } from './rewards.ts'
import {
  type Amounts,
  amountsOf,
  isLittle,
  type Judged,
  judge,
  LEAST_USD,
  type Ordered,
  type Part,
  percentReached,
} from './settling.ts'
import { SoftCap } from './soft-cap.ts'

// The sale as docs/rules.md requires it, computed from the events. Independent of the product's code.

const NAMED_MOST = 10
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** How long a signature for an escrow is valid. */
const SIGNED = 10 * MINUTE
/** How long operators may approve an order at a fixed address after its expiry. */
const APPROVED_FOR = 3 * DAY

export interface Stage {
  readonly id: number
  readonly goal: Exact
  readonly startsAt: number
  readonly endsAt: number
  readonly price: Exact
}

export interface Coin {
  readonly network: string
  readonly asset: string
  readonly decimals: number
  readonly rate: Exact
  /** False if operators confirm payments. */
  readonly watched: boolean
}

export interface Settings {
  readonly stages: readonly Stage[]
  readonly coins: ReadonlyMap<string, Coin>
  readonly limits: Limits
  readonly price: Exact
  readonly minimum: Exact
  readonly hardCap: Exact
  readonly saleTokens: Exact
  readonly bonusTokens: Exact
  readonly orderMinutes: number
  /** Rules by network, in dollars; the last rule covers the rest. */
  readonly confirmations: ReadonlyMap<string, readonly ConfirmationRule[]>
  /** The referral terms; null: no rewards. */
  readonly referral: ReferralTerms | null
  readonly mailboxes: readonly string[]
  readonly escrows: readonly Escrow[]
}

/** An order keeps these terms from its creation. */
export type Limits = Pick<Ordered, 'maximum' | 'levels' | 'moneyBackDays'>

/** An escrow's coins are only paid into it. */
export interface Escrow {
  readonly stage: number
  readonly coin: string
  readonly cap: Exact
  readonly closesAt: number
}

interface ConfirmationRule {
  readonly below: Exact | null
  readonly confirmations: number
  readonly isFinal: boolean
}

export interface Request {
  readonly buyer: number
  readonly currency: string
  readonly tokens: Exact
  readonly shown: { readonly price: Exact; readonly rate: Exact } | null
}

export interface Made {
  readonly number: number
  readonly address: string
  /** The country that the buyer declared. */
  readonly country: string | null
}

/** States of unpaid orders. */

/** An order's amounts are asked while pending, bought once approved. */
export interface Order extends Made, Amounts {
  readonly buyer: number
  readonly currency: string
  readonly ordered: Ordered
  readonly madeAt: number
  status: 'pending' | 'approved' | 'rejected'
  via: 'chain' | 'operator' | null
  /** Room reserved beyond the bought part. */
  room: Amounts
  base: Exact
  bonus: Exact
  usd: Exact
  rate: Exact
  coins: Exact
  /** True once the payment was reported or seen. */
  isSent: boolean
  /** The transaction that the buyer submitted. */
  named: string | null
  /** How often the submitted transaction changed. */
  namings: number
  /** When its escrow signature expires, in seconds. */
  signedUntil: number | null
  signedAt: number[]
  approvals: number
  approvedAt: number
  /** Bought tokens over time. */
  readonly stood: History<Tokens>
  /** Its tokens in delivery rounds, with the payments behind them. */
  listed: Tokens
  readonly listedPayments: Set<Payment>
  /** By its buyer. */
  isTakenBack: boolean
  /** True while the debt at a fixed address is the approved amount; false once operators reported another one. */
  isOwedBySale: boolean
}

/** A debt for a payment, or attested by operators (`payment` null). The chain decides how it is paid. */
export interface Refund {
  readonly order: number
  readonly payment: Payment | null
  readonly amount: Exact
  state: 'owed' | 'claimed' | 'prepared' | 'sent' | 'paid' | 'written_off'
  /** When its address was last named. */
  claimedAt?: number
  address?: string | null
  /** True once its chain showed the transfer; a named transaction alone has sent nothing. */
  isShown?: boolean
  /** Its state before it was written off: somebody may have signed or sent it. */
  before?: Refund['state']
}

type Tokens = Pick<Amounts, 'base' | 'bonus'>

/** A valid payment of an order. */
type Standing = Part & { readonly payment: Payment }

export interface Grant {
  readonly buyer: number
  readonly amount: Exact
  readonly at: number
  isReversed: boolean
  /** True if a delivery round lists it, so that it is final. */
  isListed: boolean
}

/** Values by time. */
class History<T> {
  readonly #entries: { at: number; value: T }[]

  constructor(first: T) {
    this.#entries = [{ at: Number.NEGATIVE_INFINITY, value: first }]
  }

  note(at: number, value: T): void {
    this.#entries.push({ at, value })
  }

  at(at: number): T {
    return (this.#entries.findLast((entry) => entry.at <= at) as { value: T }).value
  }

  get now(): T {
    return this.at(Number.POSITIVE_INFINITY)
  }
}

const TWO = Exact.of('2')
const NOTHING: Amounts = { base: Exact.zero, bonus: Exact.zero, usd: Exact.zero }

export class Model {
  now: number
  readonly orders: Order[] = []
  readonly refunds: Refund[] = []
  readonly granted = new Map<string, Grant>()
  /** The number of finalized rounds. */
  rounds = 0
  readonly payments: Payments
  readonly rewards: Rewards
  readonly softCap = new SoftCap()
  /** Refund addresses by buyer, with their chains. */
  refundsTo: ReadonlyMap<number, ReadonlySet<string>> = new Map()
  /** The newest final block's time, by chain. */
  finalAt: ReadonlyMap<string, number> = new Map()
  limits: Limits
  readonly #settings: Settings
  readonly #price: History<Exact>
  readonly #rates: Map<string, History<Exact>>
  readonly #paused = new History(false)
  /** Refusals by currency; null while orders are accepted. */
  readonly #refusals: ReadonlyMap<string, History<string | null>>
  readonly #asksCountry = new History(false)
  readonly #pricedStages = new Set<number>()
  readonly #byAddress = new Map<string, Order>()
  readonly #lateRates = new Map<Payment, Exact | null>()
  /** A coin's value when its payment was first seen, which stays fixed. */
  readonly #worths = new Map<Payment, Exact | null>()

  constructor(settings: Settings, now: number) {
    this.now = now
    this.#settings = settings
    this.limits = settings.limits
    this.#price = new History(settings.price)
    this.#rates = new Map([...settings.coins].map(([code, { rate }]) => [code, new History(rate)]))
    this.#refusals = new Map(
      [...settings.coins.keys()].map((code) => [code, new History<string | null>(null)]),
    )
    for (const { id, startsAt } of settings.stages) if (startsAt <= now) this.#pricedStages.add(id)
    this.rewards = new Rewards(settings.mailboxes, (buyer) => this.refundsTo.get(buyer))
    this.setTerms(settings.referral)
    this.payments = new Payments({
      isOurs: (address) => this.#byAddress.has(address),
      orderPaidAt: ({ address, asset, amount }, at) => {
        const order = this.#byAddress.get(address) as Order
        const { network, asset: own } = this.#coin(order)
        const isForeign = own !== asset
        const usd = isForeign ? this.#dollarsAt(network, asset, amount, at) : null
        return { order: order.number, isForeign, isDust: usd !== null && usd.isBelow(LEAST_USD) }
      },
      needsOf: (network, order, payment, at, isForeign) =>
        this.#needsOf(network, order, payment, at, isForeign),
      needsOfAll: (network, order, payments) => this.#needsOfAll(network, order, payments),
      isBound: (payment) =>
        this.orders.some(
          (order) => order.number === payment.order && !payment.isForeign && isListed(order, payment),
        ) || this.refunds.some((refund) => refund.payment === payment && isSent(refund)),
      undo: ({ order }) => this.#settle(this.#order(order)),
    })
  }

  get price(): Exact {
    return this.#price.now
  }

  get isPaused(): boolean {
    return this.#paused.now
  }

  rate(code: string): Exact {
    return (this.#rates.get(code) as History<Exact>).now
  }

  pause(isPaused: boolean): void {
    this.#paused.note(this.now, isPaused)
  }

  /** The refusal; null while orders are accepted. */
  refusalOf(code: string): string | null {
    return this.#refusals.get(code)?.now ?? null
  }

  refuse(code: string, refusal: string | null): void {
    this.#refusals.get(code)?.note(this.now, refusal)
  }

  setRate(code: string, rate: Exact): void {
    this.#rates.get(code)?.note(this.now, rate)
  }

  setTerms(terms: ReferralTerms | null): void {
    this.rewards.terms = terms
    this.#asksCountry.note(this.now, terms !== null && terms.excluded.length > 0)
  }

  /** All rates follow, so that a coin keeps its dollar value. */
  setPrice(price: Exact): void {
    const before = this.price
    if (before.equals(price)) return
    for (const rates of this.#rates.values())
      rates.note(this.now, keptRate(rates.now.times(before).over(price)))
    this.#price.note(this.now, price)
  }

  /** False if a rate at the price would be zero. */
  canPrice(price: Exact): boolean {
    return [...this.#rates.values()].every(
      (rates) => keptRate(rates.now.times(this.price).over(price)).isPositive,
    )
  }

  get openStage(): Stage | undefined {
    return this.#settings.stages.find(({ startsAt, endsAt }) => startsAt <= this.now && this.now < endsAt)
  }

  /** A new stage sets its price once. */
  beginStage(): void {
    const stage = this.openStage
    if (!stage || this.#pricedStages.has(stage.id)) return
    this.#pricedStages.add(stage.id)
    this.setPrice(stage.price)
  }

  /** An operator's price becomes the open stage's own. */
  changePrice(price: Exact): void {
    if (price.equals(this.price)) return
    const stage = this.openStage
    if (stage) this.#pricedStages.add(stage.id)
    this.setPrice(price)
  }

  // Holdings and remaining room

  balanceOf(buyer: number): Exact {
    const bought = this.#approved().filter((order) => order.buyer === buyer)
    const granted = [...this.granted.values()].filter((grant) => grant.buyer === buyer && !grant.isReversed)
    return Exact.sum([
      ...bought.flatMap(({ base, bonus }) => [base, bonus]),
      ...granted.map(({ amount }) => amount),
      this.rewards.of(buyer),
    ])
  }

  /** Tokens for the buyer's level: what may still be taken back is none of them. */
  #levelTokensOf(buyer: number): Exact {
    const open = this.#approved().filter((order) => order.buyer === buyer && this.#mayBeTakenBack(order))
    return this.balanceOf(buyer).minus(Exact.sum(open.flatMap(({ base, bonus }) => [base, bonus])))
  }

  depositsOf(buyer: number): Exact {
    return Exact.sum(
      this.#approved()
        .filter((order) => order.buyer === buyer)
        .map(({ usd }) => usd),
    )
  }

  raised(stage: number, via: 'chain' | 'operator'): Exact {
    return Exact.sum(
      this.#approved()
        .filter(({ ordered, via: by }) => ordered.stage === stage && by === via)
        .map(({ usd }) => usd),
    )
  }

  sold(stage: number): { base: Exact; bonus: Exact; orders: number } {
    const orders = this.#approved().filter(({ ordered }) => ordered.stage === stage)
    const base = Exact.sum(orders.map((order) => order.base))
    return { base, bonus: Exact.sum(orders.map(({ bonus }) => bonus)), orders: orders.length }
  }

  leftOfStage({ id, goal }: Stage): Exact {
    const taken = this.orders.filter(({ ordered }) => ordered.stage === id)
    return goal.minus(Exact.sum(taken.map((order) => takenBy(order).usd)))
  }

  get left(): { usd: Exact; sale: Exact; bonus: Exact } {
    const { hardCap, saleTokens, bonusTokens } = this.#settings
    const taken = this.orders.map(takenBy)
    const granted = [...this.granted.values()].flatMap(({ amount, isReversed }) =>
      isReversed ? [] : [amount],
    )
    return {
      usd: hardCap.minus(Exact.sum(taken.map(({ usd }) => usd))),
      sale: saleTokens.minus(Exact.sum(taken.map(({ base }) => base))),
      bonus: bonusTokens.minus(Exact.sum([...taken.map(({ bonus }) => bonus), ...granted, this.rewards.all])),
    }
  }

  /** Room for grants and rewards, without the highest bonus on all tokens for sale. */
  get #toGive(): Exact {
    const best = this.limits.levels.reduce((most, { percent }) => Exact.most(most, percent), Exact.zero)
    const { sale, bonus } = this.left
    const needed = (tokens: Exact) => tokens.times(best).over(Exact.of('100'))
    const taken = this.orders.map(takenBy)
    const given = Exact.sum(taken.map((each) => each.bonus))
    const sold = Exact.sum(taken.map(({ base }) => base))
    return Exact.least(bonus.minus(needed(sale)), bonus.plus(given).minus(needed(sale.plus(sold))))
  }

  get stages(): readonly Stage[] {
    return this.#settings.stages
  }

  // Possible requests

  refusalOfOrder({ buyer, currency, tokens, shown }: Request): string | null {
    const stage = this.openStage
    const { minimum } = this.#settings
    if (this.isPaused) return 'sale_paused'
    if (!stage)
      return this.stages.some(({ startsAt }) => startsAt > this.now) ? 'stage_not_started' : 'stage_closed'
    const refusal = this.refusalOf(currency)
    if (refusal) return refusal
    if (this.isInEscrow(currency) && !this.#escrowOf(currency, stage.id)) return 'escrow_missing'
    const { left, price } = this
    const byDollars = Exact.least(this.leftOfStage(stage), left.usd).over(price).cut(6)
    const rest = Exact.least(byDollars, left.sale)
    const isRest = rest.isBelow(minimum) && tokens.equals(rest)
    if (tokens.isBelow(minimum) && !isRest) return 'amount_below_minimum'
    if (this.limits.maximum.isBelow(tokens)) return 'amount_above_maximum'
    if (byDollars.isBelow(tokens)) return 'cap_reached'
    const { bonus, rate } = this.#ordered(buyer, currency, tokens)
    if (left.sale.isBelow(tokens) || left.bonus.isBelow(bonus)) return 'supply_reached'
    return shown && !(shown.price.equals(price) && shown.rate.equals(rate)) ? 'price_changed' : null
  }

  #ordered(buyer: number, currency: string, base: Exact): Ordered {
    const [rate, price, stage] = [this.rate(currency), this.price, this.openStage]
    const terms = {
      ...this.limits,
      rate,
      price,
      heldPercent: percentReached(this.limits.levels, this.#levelTokensOf(buyer)),
      asked: base.over(rate).rounded(6),
      stage: stage?.id ?? 0,
      expiresAt: Math.min(this.now + this.#settings.orderMinutes * MINUTE, stage?.endsAt ?? 0),
      coinDecimals: (this.#settings.coins.get(currency) as Coin).decimals,
    }
    return { ...terms, ...amountsOf({ ...terms, ...NOTHING }, base) }
  }

  orderOf(number: number | undefined): Order | undefined {
    return this.orders.find((order) => order.number === number)
  }

  // Events

  /** An order locks its terms for a while, no longer than its stage; it reserves nothing. */
  make({ buyer, currency, tokens }: Request, made: Made): void {
    const { watched } = this.#settings.coins.get(currency) as Coin
    const ordered = this.#ordered(buyer, currency, tokens)
    const order: Order = {
      ...made,
      buyer,
      currency,
      ordered,
      ...asOrdered(ordered),
      madeAt: this.now,
      status: 'pending',
      via: null,
      room: NOTHING,
      isSent: false,
      named: null,
      namings: 0,
      signedUntil: null,
      signedAt: [],
      approvals: 0,
      approvedAt: 0,
      stood: new History<Tokens>(NOTHING),
      listed: NOTHING,
      listedPayments: new Set(),
      isTakenBack: false,
      isOwedBySale: false,
    }
    this.orders.push(order)
    // Orders in a manual coin share one address.
    if (watched) this.#byAddress.set(made.address, order)
  }

  isInEscrow(code: string): boolean {
    return this.#settings.escrows.some(({ coin }) => coin === code)
  }

  /** `inEscrow` is the contract's state. A contract's clock is its newest block's. */
  refusalOfSignature(order: Order, inEscrow: { order: string; minedAt: number }): string | null {
    const { currency, ordered, status } = order
    const escrow = this.#settings.escrows.find(
      ({ coin, stage }) => coin === currency && stage === ordered.stage,
    )
    if (!escrow) return 'order_not_escrowed'
    if (inEscrow.order !== 'none') return 'order_state'
    if (escrow.closesAt <= inEscrow.minedAt) return 'escrow_not_open'
    const isTooLate = Math.min(ordered.expiresAt, escrow.closesAt) <= this.now + MINUTE / 2
    if (status !== 'pending' || this.detailOf(order) !== 'awaiting_payment' || isTooLate) return 'order_state'
    if (this.#isSigned(order)) return null
    const others = this.orders.filter((other) => other !== order && other.signedUntil !== null)
    const waiting = others.filter((other) => isHeld(other) && !this.#isKept(other))
    if (waiting.some((other) => other.buyer === order.buyer && this.#mayBePaid(other))) return 'order_signed'
    if (this.#signedInVain(order) >= 6) return 'too_many_requests'
    const here = (other: Order) => other.ordered.stage === ordered.stage
    if (escrow.cap.isBelow(this.#promised([order, ...others.filter(here)], order))) return 'escrow_full'
    // Signatures may use at most half of the dollars and tokens left without them.
    const isTooMuch = (left: Exact, own: Exact, rest: readonly Exact[]) =>
      Exact.sum([left, ...rest]).isBelow(Exact.sum([own, ...rest]).times(TWO))
    const dollars = waiting.filter(here).map(({ room }) => room.usd)
    const tokens = waiting.map(({ room }) => room.base)
    const leftOfStage = this.leftOfStage(this.#stage(order)).plus(order.room.usd)
    if (isTooMuch(leftOfStage, ordered.usd, dollars)) return 'escrow_full'
    if (isTooMuch(this.left.sale.plus(order.room.base), ordered.base, tokens)) return 'escrow_full'
    return this.#refusalOfRoom(order)
  }

  #promised(orders: readonly Order[], asking: Order): Exact {
    const since = (this.now - 60 * MINUTE) / 1000
    const open = orders.filter(
      (order) => order === asking || (order.signedUntil ?? 0) >= since || this.#liesThere(order),
    )
    return Exact.sum(open.flatMap(({ ordered }) => [ordered.base, ordered.bonus]))
  }

  /** The buyer's signatures within a day for unpaid orders. */
  #signedInVain({ buyer }: Order): number {
    return this.orders
      .filter((order) => order.buyer === buyer && !this.payments.of(order.number).some(isAlive))
      .flatMap(({ signedAt }) => signedAt)
      .filter((at) => at > this.now - DAY).length
  }

  #isSigned({ signedUntil }: Order): boolean {
    return signedUntil !== null && signedUntil > (this.now + MINUTE / 2) / 1000
  }

  /** Reserves room until the order is paid, or can't be paid any more. */
  sign(order: Order): void {
    if (this.#isSigned(order)) return
    const escrow = this.#escrowOf(order.currency, order.ordered.stage) as Escrow
    const until = Math.min(this.now + SIGNED, order.ordered.expiresAt, escrow.closesAt - 1000)
    if (order.signedUntil !== Math.floor(until / 1000)) order.signedAt.push(this.now)
    order.signedUntil = Math.floor(until / 1000)
    order.room = order.ordered
  }

  takesAddress(code: string): boolean {
    return this.#settings.coins.get(code)?.watched === true && !this.isInEscrow(code)
  }

  isByHand(order: Order): boolean {
    return !this.#coin(order).watched
  }

  refusalOfName(order: Order, transaction: string): string | null {
    if (!this.isByHand(order)) return 'transaction_id_not_needed'
    const isUnpaid = ['awaiting_payment', 'expired'].includes(this.detailOf(order))
    if (order.status !== 'pending' || !isUnpaid) return 'order_state'
    if (order.named === transaction) return null
    if (order.namings >= NAMED_MOST) return 'order_state'
    return this.#isTaken(order, transaction) ? 'transaction_id_taken' : null
  }

  name(order: Order, transaction: string | null): void {
    order.named = transaction
    order.namings += 1
    order.isSent = true
  }

  /** True if another order was approved by the transaction, or owes its amount. */
  #isTaken({ number }: Order, named: string | null): boolean {
    if (named === null) return false
    const isOwed = (other: Order) =>
      this.refunds.some(
        ({ order, payment, state }) => order === other.number && !payment && state !== 'written_off',
      )
    return this.orders.some(
      (other) =>
        other.number !== number && other.named === named && (other.status === 'approved' || isOwed(other)),
    )
  }

  refusalOfApproval(order: Order): string | null {
    if (order.status === 'approved') return null
    if (!this.isByHand(order)) return 'order_on_chain'
    if (this.softCap.isMissed) return 'soft_cap_missed'
    if (order.status === 'rejected') return 'order_state'
    if (this.softCap.verdict || this.now > order.ordered.expiresAt + APPROVED_FOR) return 'approval_over'
    if (this.#isTaken(order, order.named)) return 'transaction_id_taken'
    return this.#refusalOfRoom(order)
  }

  /** An order that is paid into an escrow, or may be, can't be rejected. */
  refusalOfRejection(order: Order, came: Exact | null): string | null {
    if (came && !this.isByHand(order)) return 'order_on_chain'
    const said = this.#saidOf(order)
    const isMore = came?.isPositive && !came.equals(said)
    if (order.status === 'rejected' && said.isPositive && isMore && !this.#maySayMore(order, came))
      return 'order_state'
    if (order.status === 'rejected' && !isMore) return null
    if (came?.isPositive && this.#isTaken(order, order.named)) return 'transaction_id_taken'
    if (order.status === 'rejected') return null
    if (this.#isKept(order)) return 'order_in_escrow'
    if (this.#mayBePaid(order)) return 'order_signed'
    return isLess(NOTHING, order.listed) ? 'tokens_allocated' : null
  }

  refusalOfTakingBack(order: Order): string | null {
    return order.isTakenBack || this.#mayBeTakenBack(order) ? null : 'money_back_over'
  }

  /** Owes back the coins that bought something. */
  takeBack(order: Order): void {
    if (order.isTakenBack) return
    order.isTakenBack = true
    this.reject(order, this.isByHand(order) ? order.coins : Exact.zero)
    order.isOwedBySale = this.isByHand(order)
  }

  /** The debt by word. */
  #saidOf({ number }: Order): Exact {
    const own = this.refunds.filter(({ order, payment }) => order === number && payment === null)
    return Exact.sum(own.map(({ amount }) => amount))
  }

  /** True if more came than the sale owes by itself. */
  #maySayMore(order: Order, came: Exact): boolean {
    return order.isOwedBySale && this.#saidOf(order).isBelow(came)
  }

  approve(order: Order): void {
    if (order.status === 'approved') return
    this.#approve(order, 'operator')
  }

  /** @param came The amount that operators state for a fixed address. */
  reject(order: Order, came: Exact): void {
    const said = this.#saidOf(order)
    const isSaid = said.isPositive && !this.#maySayMore(order, came)
    if (order.status === 'rejected' && (!this.isByHand(order) || isSaid || !came.isPositive)) return
    order.isOwedBySale = false
    // The rejection informs the buyer.
    order.isSent ||= order.status === 'pending'
    this.rewards.takeBack(order.number, Exact.zero)
    Object.assign(order, { status: 'rejected', via: null })
    order.stood.note(this.now, NOTHING)
    if (came.isPositive)
      this.refunds.push({ order: order.number, payment: null, amount: came.minus(said), state: 'owed' })
    // The used part of each confirmed payment is owed, however little; other payments once confirmed.
    for (const payment of this.payments.of(order.number)) {
      const { credited } = payment
      payment.credited = Exact.zero
      if (credited.isPositive && isAlive(payment) && payment.isConfirmed)
        this.#oweOf(payment, order.number, credited)
    }
    this.#settle(order)
  }

  isRewardDue(order: Order): boolean {
    return this.rewards.isDue(this.#bringing(order))
  }

  decideReward(order: Order): void {
    this.rewards.decide(this.#bringing(order), this.#toGive, this.now)
  }

  /** The tokens at `cut` that no round has. Returns why the round can't take them. */
  freeze(cut: number): string | null {
    const { usd, verdict } = this.softCap
    if (usd !== null && verdict?.isReached !== true) return 'soft_cap_open'
    const orders = this.orders.map((order) => ({ order, tokens: this.#listable(order, cut) }))
    const listed = orders.filter(({ tokens }) => isLess(NOTHING, tokens))
    const grants = [...this.granted.values()].filter(
      ({ buyer, at, amount, isReversed, isListed }) =>
        this.#hasAddress(buyer) && at <= cut && amount.isPositive && !isReversed && !isListed,
    )
    const rewards = this.rewards.listable(cut).filter(({ referrer }) => this.#hasAddress(referrer))
    if (listed.length + grants.length + rewards.length === 0) return 'round_empty'
    this.rewards.lookAgain()
    for (const { order, tokens } of listed) {
      order.listed = plus(order.listed, tokens)
      this.#keepListed(order)
    }
    for (const one of [...grants, ...rewards]) one.isListed = true
    this.rounds += 1
    return null
  }

  /**
   * Notes the payments that keep the listed tokens: final ones in the order of their blocks, until they buy
   * as much. What was bought after the cut is not kept.
   */
  #keepListed(order: Order): void {
    const finals = this.#finals(order)
    const parts = this.#parts(order).filter(({ payment }) => finals.has(payment))
    const placeOf = ({ payment }: Standing) => (isListed(order, payment) ? -1 : (payment.block?.height ?? -1))
    const inOrder = parts.toSorted((a, b) => placeOf(a) - placeOf(b) || a.at - b.at || a.id - b.id)
    const kept: Standing[] = []
    for (const part of inOrder) {
      const { base } = this.#judge(order, kept, order.base)
      if (kept.length > 0 && !isLess(amountsOf(order.ordered, base), order.listed)) break
      kept.push(part)
    }
    for (const { payment } of kept) order.listedPayments.add(payment)
  }

  /** The order's tokens at the cut that it still has, as far as final payments cover them. */
  #listable(order: Order, cut: number): Tokens {
    const { status, buyer, ordered } = order
    if (status !== 'approved' || this.#isInItsEscrow(order) || !this.#hasAddress(buyer)) return NOTHING
    if (this.#mayBeTakenBack(order)) return NOTHING
    const [stood, most] = [order.stood.at(cut), amountsOf(ordered, this.#finalBase(order))]
    const least = (of: (one: Tokens) => Exact) => {
      const listable = Exact.least(of(order), of(stood), of(most))
      return Exact.most(Exact.zero, listable.minus(of(order.listed)))
    }
    return { base: least((one) => one.base), bonus: least((one) => one.bonus) }
  }

  /** Base tokens covered by final payments; all if operators approved the order. */
  #finalBase(order: Order): Exact {
    if (order.via === 'operator') return order.base
    const finals = this.#finals(order)
    const parts = this.#parts(order).filter(({ payment }) => finals.has(payment))
    return Exact.least(order.base, this.#judge(order, parts, order.base).base)
  }

  /** Payments that are final or listed by a round. */
  #finals(order: Order): ReadonlySet<Payment> {
    const own = this.payments.of(order.number).filter(({ credited }) => credited.isPositive)
    return new Set(own.filter((payment) => payment.isFinal || isListed(order, payment)))
  }

  #baseForReward(order: Order): Exact {
    if (order.status !== 'approved' || this.softCap.isMissed || this.#mayBeTakenBack(order)) return Exact.zero
    if (order.via === 'operator')
      return order.approvedAt + BY_HAND_AFTER <= this.now ? order.base : Exact.zero
    // The simulation delivers no escrow, so its money may still be returned.
    return this.isInEscrow(order.currency) ? Exact.zero : this.#finalBase(order)
  }

  /** True during the money-back days, while the sale lasts; further payments do not prolong the days. */
  #mayBeTakenBack(order: Order): boolean {
    const { status, ordered, approvedAt } = order
    const from = this.isByHand(order) ? approvedAt : ordered.expiresAt + DAY
    const until = Math.min(from + ordered.moneyBackDays * DAY, this.#sale.endsAt)
    return ordered.moneyBackDays > 0 && status === 'approved' && this.now < until
  }

  /** Initial buyers have a delivery address. */
  #hasAddress(buyer: number): boolean {
    return buyer < this.#settings.mailboxes.length
  }

  /** Why a payment in another coin can't be owed. */
  refusalOfRefund(payment: Payment): string | null {
    const { isForeign, isDust, gone, owed, confirmations } = payment
    const isOpen = isForeign && !isDust && gone === null && !owed.isPositive
    return isOpen && this.payments.hasEnough(payment, confirmations) ? null : 'payment_state'
  }

  refund(payment: Payment): void {
    this.#oweOf(payment, payment.order, payment.amount)
  }

  /** A debt that had an address before it was written off is claimed or prepared again. */
  #oweOf(payment: Payment, order: number, amount: Exact): void {
    payment.owed = payment.owed.plus(amount)
    const before = this.refunds.findLast(
      (refund) =>
        refund.payment === payment &&
        refund.order === order &&
        refund.state === 'written_off' &&
        refund.before !== 'owed' &&
        refund.amount.equals(amount),
    )
    if (before?.before) before.state = before.before
    else this.refunds.push({ order, payment, amount, state: 'owed' })
  }

  read(reading: Reading): void {
    this.softCap.read(reading)
    const changed = new Set(this.payments.read(reading))
    for (const order of this.orders) if (this.#isEnded(order, reading.network)) changed.add(order.number)
    for (const number of [...changed].toSorted((a, b) => a - b)) this.#settle(this.#order(number))
  }

  get isSoftCapDue(): boolean {
    return this.orders.length > 0 && this.softCap.isDue(this.#sale)
  }

  decideSoftCap(): void {
    this.softCap.decide(this.#sale)
  }

  /** Owes back all payments after a missed soft cap. */
  payBack(order: Order): void {
    this.reject(order, this.isByHand(order) ? order.ordered.asked : Exact.zero)
    order.isOwedBySale = this.isByHand(order)
  }

  get #sale() {
    const coins = [...this.#settings.coins.values()]
    return {
      now: this.now,
      endsAt: Math.max(...this.stages.map(({ endsAt }) => endsAt)),
      networks: new Set(coins.filter(({ watched }) => watched).map(({ network }) => network)),
      orders: this.orders,
      payments: this.payments.all,
    }
  }

  /** The state that the buyer sees now. */
  detailOf(order: Order): string {
    const { status, via, approvals, ordered, base } = order
    const own = this.#standing(order)
    const isOpen = own.some(({ state }) => state !== 'paid')
    const isPaidBack = own.length > 0 || this.#isGivenBack(order)
    const isInTime = this.now < ordered.expiresAt
    if (status === 'approved') {
      if (this.payments.of(order.number).some(isGone)) return 'under_review'
      if (isOpen) return 'overpaid'
      if (via === 'operator') return 'approved_by_operator'
      return isInTime && !isPaidBack && base.isBelow(ordered.base) ? 'underpaid' : 'credited'
    }
    if (status === 'pending') {
      if (this.#unconfirmed(order).some(({ block }) => block)) return 'confirming'
      if (this.#seen(order).length > 0) return 'seen'
    }
    if (isOpen) return 'refund_due'
    if (isPaidBack) return 'refunded'
    if (status === 'rejected') return approvals > 0 ? 'reversed' : 'rejected_by_operator'
    const orphaned = this.payments.of(order.number).filter(({ gone }) => gone === 'orphaned')
    if (orphaned.some((payment) => !this.#isLittle(order, payment))) return 'under_review'
    return isInTime || this.#mayBePaid(order) ? 'awaiting_payment' : 'expired'
  }

  // How

  #escrowOf(code: string, stageId: number): Escrow | undefined {
    return this.#settings.escrows.find(
      ({ coin, stage, closesAt }) => coin === code && stage === stageId && this.now < closesAt,
    )
  }

  /**
   * True if an unseen transaction may still pay: until a final block is younger, and unless the money was
   * returned.
   */
  #mayBePaid(order: Order): boolean {
    if (order.signedUntil === null || this.#isGivenBack(order)) return false
    return (this.finalAt.get(this.#coin(order).network) ?? 0) <= order.signedUntil * 1000
  }

  /** True if no block of the network can accept the signature any more. */
  #isEnded(order: Order, network: string): boolean {
    const isSigned = isHeld(order) && order.signedUntil !== null && this.#coin(order).network === network
    return isSigned && !this.#isKept(order) && !this.#mayBePaid(order)
  }

  /** True if the escrow has money that it did not return. */
  #isKept({ number, currency }: Order): boolean {
    return this.isInEscrow(currency) && this.payments.of(number).some(isAlive)
  }

  /** True if a block shows the money; the escrow then owes the tokens. */
  #isInItsEscrow({ number, currency }: Order): boolean {
    const own = this.payments.of(number)
    return this.isInEscrow(currency) && own.some((payment) => isAlive(payment) && payment.block)
  }

  /** True if no block returned the money. */
  #liesThere({ number }: Order): boolean {
    return this.payments.of(number).some((payment) => isAlive(payment) && payment.returned === null)
  }

  #isGivenBack({ number }: Order): boolean {
    return this.payments.of(number).some(({ isReturned }) => isReturned)
  }

  /** Unconfirmed payments that may buy: one that is too little changes nothing visible. */
  #unconfirmed(order: Order): Payment[] {
    return this.payments
      .of(order.number)
      .filter((payment) => isAlive(payment) && !payment.isConfirmed && !this.#isLittle(order, payment))
  }

  /** Uses the coin's value when first seen, even if it can't buy. */
  #isLittle(order: Order, payment: Payment): boolean {
    return isLittle(order.ordered, payment.amount, this.#worth(order, payment))
  }

  #worth(order: Order, payment: Payment): Exact | null {
    const known = this.#worths.get(payment)
    if (known !== undefined) return known
    const worth = this.#worthAt(order, firstSeen(payment, this.now))
    if (payment.firstSeenAt !== null) this.#worths.set(payment, worth)
    return worth
  }

  /** The value at the order's price; null if first seen in time. */
  #worthAt({ ordered, currency }: Order, at: number): Exact | null {
    if (at <= ordered.expiresAt) return null
    const worth = (this.#rates.get(currency) as History<Exact>).at(at).times(this.#price.at(at))
    return worth.over(ordered.price).rounded(12)
  }

  /** Times until which unmined payments are worth waiting for. */
  #seen(order: Order): number[] {
    return this.#unconfirmed(order)
      .filter(({ block }) => !block)
      .map(({ seenAt }) => seenAt + MINED_WITHIN)
      .filter((until) => until > this.now)
  }

  /** Debts in the order's own coin. */
  #standing({ number }: Order): Refund[] {
    return this.refunds.filter(
      ({ order, state, payment }) =>
        order === number && state !== 'written_off' && !payment?.isForeign && !payment?.isReturned,
    )
  }

  #bringing(order: Order): Bringing {
    return { ...order, base: this.#baseForReward(order), isCountryAsked: this.#asksCountry.at(order.madeAt) }
  }

  #stage({ ordered }: Pick<Order, 'ordered'>): Stage {
    return this.stages.find(({ id }) => id === ordered.stage) as Stage
  }

  #order(number: number): Order {
    return this.orderOf(number) as Order
  }

  #coin({ currency }: Order): Coin {
    return this.#settings.coins.get(currency) as Coin
  }

  #approved(): Order[] {
    return this.orders.filter(({ status }) => status === 'approved')
  }

  /** Why there is no room for the asked amount beyond the reserved one. */
  #refusalOfRoom(order: Order) {
    const { left } = this
    const { usd, base, bonus } = less(order.ordered, order.room)
    if (Exact.least(this.leftOfStage(this.#stage(order)), left.usd).isBelow(usd)) return 'cap_reached'
    return left.sale.isBelow(base) || left.bonus.isBelow(bonus) ? 'supply_reached' : null
  }

  #needsOf(
    network: string,
    number: number,
    { amount, asset }: Pick<TruePayment, 'amount' | 'asset'>,
    at: number,
    isForeign: boolean,
  ) {
    const order = this.#order(number)
    if (!isForeign) {
      const usd = this.#dollarsOf(order, amount, this.#worthAt(order, at))
      return this.#needsOfDollars(network, Exact.most(order.ordered.usd, usd))
    }
    const usd = this.#dollarsAt(network, asset, amount, this.now) ?? Exact.zero
    return this.#needsOfDollars(network, Exact.most(order.ordered.usd, usd))
  }

  /** Of a listed coin, by its rate at a time; null for another asset. */
  #dollarsAt(network: string, asset: string, amount: Exact, at: number): Exact | null {
    const [code] =
      [...this.#settings.coins].find(([, of]) => of.network === network && of.asset === asset) ?? []
    const rates = code === undefined ? undefined : this.#rates.get(code)
    return rates ? amount.times(rates.at(at)).times(this.#price.at(at)).rounded(2) : null
  }

  #needsOfAll(network: string, number: number, payments: readonly Payment[]) {
    const order = this.#order(number)
    const usd = Exact.sum(
      payments.map((payment) => this.#dollarsOf(order, payment.amount, this.#worth(order, payment))),
    )
    return this.#needsOfDollars(network, Exact.most(order.ordered.usd, usd))
  }

  /** Dollars at the locked rate, or by a late payment's higher value. */
  #dollarsOf({ ordered: { rate, price } }: Order, amount: Exact, worth: Exact | null): Exact {
    return amount
      .times(Exact.most(rate, worth ?? rate))
      .times(price)
      .rounded(2)
  }

  #needsOfDollars(network: string, usd: Exact) {
    const rules = this.#settings.confirmations.get(network) ?? []
    const rule = rules.find(({ below }) => below === null || usd.isBelow(below))
    return { needed: rule?.confirmations ?? 100, isFinal: rule?.isFinal ?? false, usd }
  }

  #approve(order: Order, via: 'chain' | 'operator'): void {
    order.status = 'approved'
    order.via = via
    order.approvals += 1
    order.approvedAt = this.now
    order.isSent = true
    order.stood.note(this.now, { base: order.base, bonus: order.bonus })
  }

  #settle(order: Order): void {
    if (order.status === 'approved' && this.softCap.isMissed) return this.payBack(order)
    this.#writeOff(order)
    const { ordered } = order
    const parts = this.#parts(order)
    // Anybody can send a few cents: they are not the buyer's word.
    order.isSent ||= !isLittle(ordered, Exact.sum(parts.map(({ left }) => left)), null)
    const most = this.#take(order, parts)
    // A purchase stands while a block contains its payment.
    const counted = parts.filter(
      ({ payment }) =>
        payment.isConfirmed ||
        (payment.credited.isPositive && payment.block !== null) ||
        isListed(order, payment),
    )
    // If settling would take listed tokens, only payments that bought something count; the rest is owed.
    const takes = this.#takesFromRounds(order, this.#judge(order, counted, most))
    const own = takes ? counted.filter(({ payment }) => payment.credited.isPositive) : counted
    const judged = this.#judge(order, own, most)
    if (!this.#standsAs(order, judged)) this.#buy(order, judged)
    const bought = order.status === 'approved' ? order : NOTHING
    order.room = takes ? NOTHING : less(amountsOf(ordered, most), bought)
    for (const part of counted) {
      const { payment, amount } = part
      if (!isAlive(payment) || !payment.isConfirmed) continue
      const rest = amount.minus(payment.credited).minus(payment.owed)
      // A payment that is too little is owed only if it partly buys.
      const isLeft = this.#isLittle(order, payment) && !payment.credited.isPositive
      if (rest.isPositive && !isLeft) this.#oweOf(payment, order.number, rest)
    }
  }

  /** True if a payment would buy less than rounds have listed. */
  #takesFromRounds(order: Order, { credited }: Judged): boolean {
    return this.payments
      .of(order.number)
      .some(
        (payment) =>
          isListed(order, payment) && (credited.get(payment.id) ?? Exact.zero).isBelow(payment.credited),
      )
  }

  /** The valid payments; listed ones stay bought. */
  #parts(order: Order): Standing[] {
    return this.payments
      .of(order.number)
      .filter((payment) => isAlive(payment) || isListed(order, payment))
      .map((payment) => {
        const { id, amount, owed, credited, isConfirmed } = payment
        // A purchase that is not counted again keeps its amount.
        const isKept = credited.isPositive && !(isAlive(payment) && isConfirmed)
        const left = isKept ? credited : amount.minus(owed)
        return { id, amount, left, at: firstSeen(payment, this.now), payment }
      })
  }

  #take(order: Order, parts: readonly Standing[]): Exact {
    if (order.status === 'rejected' || this.softCap.isMissed) return Exact.zero
    const { ordered } = order
    const shown = parts.filter(({ payment }) => isShown(payment) || isListed(order, payment))
    const signed = this.#mayBePaid(order) ? ordered.base : Exact.zero
    const wanted = (most: Exact) =>
      Exact.most(this.#judge(order, shown, most).base, Exact.least(signed, most))
    const [has, { left }] = [takenBy(order), this]
    const dollars = Exact.least(this.leftOfStage(this.#stage(order)), left.usd)
    const fits = (most: Exact) => {
      const { base, bonus, usd } = less(amountsOf(ordered, most), has)
      return !dollars.isBelow(usd) && !left.sale.isBelow(base) && !left.bonus.isBelow(bonus)
    }
    const largest = Exact.most(ordered.maximum, ordered.base)
    if (this.#standsAs(order, this.#judge(order, shown, largest))) return order.base
    const whole = wanted(largest)
    if (fits(whole)) return whole
    const byDollars = has.usd.plus(dollars).over(ordered.price).cut(6)
    const rest = wanted(Exact.most(has.base, Exact.least(has.base.plus(left.sale), byDollars, largest)))
    return fits(rest) ? rest : wanted(has.base)
  }

  /**
   * True if these coins already bought this: judging again would yield slightly more, because amounts are
   * truncated.
   */
  #standsAs({ number, status }: Order, { credited }: Judged): boolean {
    const own = this.payments.of(number)
    return (
      status === 'approved' &&
      own.every(({ id, credited: coins }) => coins.equals(credited.get(id) ?? Exact.zero))
    )
  }

  /** A changed purchase is undone and approved again. */
  #buy(order: Order, { base, rate, coins, credited }: Judged): void {
    const { number, status, ordered } = order
    for (const payment of this.payments.of(number)) payment.credited = credited.get(payment.id) ?? Exact.zero
    if (status === 'rejected') return
    const before = status === 'approved' ? order.base : Exact.zero
    const isSame = base.equals(before) && coins.equals(order.coins) && rate.equals(order.rate)
    Object.assign(order, base.isPositive ? { ...amountsOf(ordered, base), rate, coins } : asOrdered(ordered))
    if (base.isPositive && !isSame) this.#approve(order, 'chain')
    if (!base.isPositive) Object.assign(order, { status: 'pending', via: null })
    if (!base.isPositive) order.stood.note(this.now, NOTHING)
    if (base.isBelow(before)) this.rewards.takeBack(number, base)
  }

  /** A late payment buys while the order's stage and price are active and the sale is not paused. */
  #judge(order: Order, parts: readonly Standing[], most: Exact): Judged {
    return judge(order.ordered, parts, most, ({ payment }) => this.#lateRate(order, payment))
  }

  /** The rate is fixed once the payment's first sight is known. */
  #lateRate(order: Order, payment: Payment): Exact | null {
    const known = this.#lateRates.get(payment)
    if (known !== undefined) return known
    const rate = this.#lateRateAt(order, firstSeen(payment, this.now))
    if (payment.firstSeenAt !== null) this.#lateRates.set(payment, rate)
    return rate
  }

  /** The rate is null for a payment in time, or one that buys nothing. */
  #lateRateAt(order: Order, at: number): Exact | null {
    if (at <= order.ordered.expiresAt) return null
    const { startsAt, endsAt } = this.#stage(order)
    const isInForce = startsAt <= at && at < endsAt && this.#price.at(at).equals(order.ordered.price)
    if (order.ordered.moneyBackDays > 0) return null
    const isRefused = this.#paused.at(at) || this.#refusals.get(order.currency)?.at(at)
    const rates = this.#rates.get(order.currency) as History<Exact>
    return isInForce && !isRefused ? rates.at(at) : null
  }

  /** A vanished payment is no longer owed, unless the chain showed its refund. */
  #writeOff({ number }: Order): void {
    for (const refund of this.refunds) {
      if (refund.order !== number || !refund.payment) continue
      if (refund.state === 'written_off' || isSent(refund)) continue
      const { gone, block, isReturned } = refund.payment
      if (gone === null && block && !isReturned) continue
      refund.before = refund.state
      refund.state = 'written_off'
      refund.payment.owed = refund.payment.owed.minus(refund.amount)
    }
  }
}

/** True if the chain showed the transfer, or operators attested it. */
const isSent = (refund: Refund) =>
  refund.state === 'paid' || (refund.state === 'sent' && refund.isShown === true)

/** The room of an order, bought or reserved. */
function takenBy({ status, base, bonus, usd, room }: Order): Amounts {
  if (status !== 'approved') return room
  return { base: base.plus(room.base), bonus: bonus.plus(room.bonus), usd: usd.plus(room.usd) }
}

const less = (one: Amounts, other: Amounts): Amounts => ({
  base: one.base.minus(other.base),
  bonus: one.bonus.minus(other.bonus),
  usd: one.usd.minus(other.usd),
})

const plus = (one: Tokens, other: Tokens): Tokens => ({
  base: one.base.plus(other.base),
  bonus: one.bonus.plus(other.bonus),
})

const isLess = (one: Tokens, other: Tokens) => one.base.isBelow(other.base) || one.bonus.isBelow(other.bonus)

/** True for a purchase whose payment no block contains any more. */
const isGone = (payment: Payment) => payment.credited.isPositive && (!isAlive(payment) || !payment.block)

const isListed = ({ listedPayments }: Order, payment: Payment) =>
  payment.credited.isPositive && listedPayments.has(payment)

const isHeld = ({ room }: Order) => room.base.isPositive

const asOrdered = ({ base, bonus, usd, rate, asked: coins }: Ordered) => ({ base, bonus, usd, rate, coins })

/** A rate has 6 decimals or 12 significant digits, whichever is finer. */
function keptRate(rate: Exact): Exact {
  return rate.rounded(Math.max(6, 11 - rate.magnitude))
}

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
  type Ordered,
  type Part,
  percentReached,
} from './settling.ts'
import { SoftCap } from './soft-cap.ts'

// The sale as docs/rules.md says that it must be, computed from what happened. Nothing here comes from the product.

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A signature for an escrow is good for so long. */
const SIGNED = 10 * MINUTE
/** Operators approve an order at a fixed address for so long after it expired. */
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
  /** Its chain confirms what is paid in it; if not, operators do. */
  readonly watched: boolean
}

/** What the sale begins with. */
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
  /** By network: below how many dollars how many confirmations, in order; the last one for any sum. */
  readonly confirmations: ReadonlyMap<string, readonly ConfirmationRule[]>
  /** What bringing a buyer brings; null: nothing. */
  readonly referral: ReferralTerms | null
  /** The mailboxes of the buyers that are there from the start. */
  readonly mailboxes: readonly string[]
  readonly escrows: readonly Escrow[]
}

/** What each order keeps as it was when the order was made. */
export type Limits = Pick<Ordered, 'maximum' | 'levels' | 'moneyBackDays'>

/** A contract that holds the money of a stage's orders in its coins; there are no other orders in these. */
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

/** What a buyer asks for. */
export interface Request {
  readonly buyer: number
  readonly currency: string
  readonly tokens: Exact
  /** The price that the buyer was shown; null where any is accepted. */
  readonly shown: { readonly price: Exact; readonly rate: Exact } | null
}

/** What is known of an order once it is made. */
export interface Made {
  readonly number: number
  readonly address: string
  /** Where its buyer declared to live. */
  readonly country: string | null
}

/** Of what nothing is paid, or nothing any more. */

/** An order as it must stand. Its amounts are what was asked while it is pending, and what it bought once it is approved. */
export interface Order extends Made, Amounts {
  readonly buyer: number
  readonly currency: string
  readonly ordered: Ordered
  readonly madeAt: number
  status: 'pending' | 'approved' | 'rejected'
  via: 'chain' | 'operator' | null
  /** What it has taken beyond what it bought. */
  room: Amounts
  base: Exact
  bonus: Exact
  usd: Exact
  rate: Exact
  coins: Exact
  /** Whether its buyer or an operator said that it is paid, or a payment was seen. */
  isSent: boolean
  /** The transaction that its buyer named. */
  named: string | null
  /** The second until which it is signed for its escrow. */
  signedUntil: number | null
  /** When its payment was signed, each time. */
  signedAt: number[]
  /** When it is settled next, though no payment changes. */
  approvals: number
  /** When it was approved last. */
  approvedAt: number
  /** What stood as bought at a time. */
  readonly stood: History<Tokens>
  /** What delivery rounds have of it, and the payments on which that stands. */
  listed: Tokens
  readonly listedPayments: Set<Payment>
  /** By its buyer. */
  isTakenBack: boolean
}

/** What is owed back for a payment, or by the word of operators (`payment` null). How it is paid is the chain's to say. */
export interface Refund {
  readonly order: number
  readonly payment: Payment | null
  readonly amount: Exact
  state: 'owed' | 'claimed' | 'prepared' | 'sent' | 'paid' | 'written_off'
  /** When its address was named last. */
  claimedAt?: number
  address?: string | null
  /** What it was when it was written off: somebody may have signed or sent it. */
  before?: Refund['state']
}

type Tokens = Pick<Amounts, 'base' | 'bonus'>

/** A payment of an order that stands. */
type Standing = Part & { readonly payment: Payment }

export interface Grant {
  readonly buyer: number
  readonly amount: Exact
  readonly at: number
  isReversed: boolean
  /** Whether a delivery round has it; it stays then. */
  isListed: boolean
}

/** A history: what was in force at a time. */
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
  /** How many delivery rounds were frozen. */
  rounds = 0
  readonly payments: Payments
  readonly rewards: Rewards
  readonly softCap = new SoftCap()
  /** Where each buyer wants money back, by chain and address. */
  refundsTo: ReadonlyMap<number, ReadonlySet<string>> = new Map()
  /** The time of the newest final block of each chain that was read. */
  finalAt: ReadonlyMap<string, number> = new Map()
  /** Of new orders. */
  limits: Limits
  readonly #settings: Settings
  readonly #price: History<Exact>
  readonly #rates: Map<string, History<Exact>>
  readonly #paused = new History(false)
  /** By currency: why no orders are taken in it, null while they are. */
  readonly #refusals: ReadonlyMap<string, History<string | null>>
  /** Whether orders ask for a country. */
  readonly #asksCountry = new History(false)
  readonly #pricedStages = new Set<number>()
  readonly #byAddress = new Map<string, Order>()
  readonly #lateRates = new Map<Payment, Exact | null>()
  /** Dollars of a coin of a payment when it was first seen: like its rate, they stay. */
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
      orderPaidAt: ({ address, asset }) => {
        const order = this.#byAddress.get(address) as Order
        return { order: order.number, isForeign: this.#coin(order).asset !== asset }
      },
      needsOf: (network, order, payment, at, isForeign) =>
        this.#needsOf(network, order, payment, at, isForeign),
      needsOfAll: (network, order, payments) => this.#needsOfAll(network, order, payments),
      undo: ({ order }) => this.#settle(this.#order(order)),
    })
  }

  // What the sale asks and gives

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

  /** Why no orders are taken in a currency now; null where they are. */
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

  /** Every rate follows the price, so that a coin costs as many dollars as before. */
  setPrice(price: Exact): void {
    const before = this.price
    if (before.equals(price)) return
    for (const rates of this.#rates.values())
      rates.note(this.now, keptRate(rates.now.times(before).over(price)))
    this.#price.note(this.now, price)
  }

  /** The rates that a price would give; false where one would be nothing. */
  canPrice(price: Exact): boolean {
    return [...this.#rates.values()].every(
      (rates) => keptRate(rates.now.times(this.price).over(price)).isPositive,
    )
  }

  get openStage(): Stage | undefined {
    return this.#settings.stages.find(({ startsAt, endsAt }) => startsAt <= this.now && this.now < endsAt)
  }

  /** A stage that begins gives its price, once. */
  beginStage(): void {
    const stage = this.openStage
    if (!stage || this.#pricedStages.has(stage.id)) return
    this.#pricedStages.add(stage.id)
    this.setPrice(stage.price)
  }

  /** An operator's price is the open stage's own from then on. */
  changePrice(price: Exact): void {
    if (price.equals(this.price)) return
    const stage = this.openStage
    if (stage) this.#pricedStages.add(stage.id)
    this.setPrice(price)
  }

  // What buyers have and what is left

  balanceOf(buyer: number): Exact {
    const bought = this.#approved().filter((order) => order.buyer === buyer)
    const granted = [...this.granted.values()].filter((grant) => grant.buyer === buyer && !grant.isReversed)
    return Exact.sum([
      ...bought.flatMap(({ base, bonus }) => [base, bonus]),
      ...granted.map(({ amount }) => amount),
      this.rewards.of(buyer),
    ])
  }

  /** The tokens by which a buyer has a level: what may still be taken back is none of them. */
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

  /** What grants and rewards may take: nothing of the highest bonus on all that may be sold. */
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

  // What may be asked

  /** Why an order is refused now; null where it is made. */
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

  // What happens

  /** It locks its terms for a while, and never longer than its stage; it reserves nothing. */
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
      signedUntil: null,
      signedAt: [],
      approvals: 0,
      approvedAt: 0,
      stood: new History<Tokens>(NOTHING),
      listed: NOTHING,
      listedPayments: new Set(),
      isTakenBack: false,
    }
    this.orders.push(order)
    // Every order in a coin of the operators is paid at one address.
    if (watched) this.#byAddress.set(made.address, order)
  }

  /** Whether orders in a coin are paid into escrows. */
  isInEscrow(code: string): boolean {
    return this.#settings.escrows.some(({ coin }) => coin === code)
  }

  /** Why nothing is signed of an order, of which its contract says `inEscrow`. A contract's clock is its newest block's. */
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
    // Signatures take at most half of the dollars that the stage has left without them, and of the tokens.
    const isTooMuch = (left: Exact, own: Exact, rest: readonly Exact[]) =>
      Exact.sum([left, ...rest]).isBelow(Exact.sum([own, ...rest]).times(TWO))
    const dollars = waiting.filter(here).map(({ room }) => room.usd)
    const tokens = waiting.map(({ room }) => room.base)
    const leftOfStage = this.leftOfStage(this.#stage(order)).plus(order.room.usd)
    if (isTooMuch(leftOfStage, ordered.usd, dollars)) return 'escrow_full'
    if (isTooMuch(this.left.sale.plus(order.room.base), ordered.base, tokens)) return 'escrow_full'
    return this.#refusalOfRoom(order)
  }

  /** The tokens that an escrow owes, or may have to: for an hour after a signature's end, and for what lies there. */
  #promised(orders: readonly Order[], asking: Order): Exact {
    const since = (this.now - 60 * MINUTE) / 1000
    const open = orders.filter(
      (order) => order === asking || (order.signedUntil ?? 0) >= since || this.#liesThere(order),
    )
    return Exact.sum(open.flatMap(({ ordered }) => [ordered.base, ordered.bonus]))
  }

  /** How many signatures its buyer was given within a day for orders that nothing is paid for. */
  #signedInVain({ buyer }: Order): number {
    return this.orders
      .filter((order) => order.buyer === buyer && !this.payments.of(order.number).some(isAlive))
      .flatMap(({ signedAt }) => signedAt)
      .filter((at) => at > this.now - DAY).length
  }

  #isSigned({ signedUntil }: Order): boolean {
    return signedUntil !== null && signedUntil > (this.now + MINUTE / 2) / 1000
  }

  /** Takes its place until it is paid, or can't be any more. */
  sign(order: Order): void {
    if (this.#isSigned(order)) return
    const escrow = this.#escrowOf(order.currency, order.ordered.stage) as Escrow
    const until = Math.min(this.now + SIGNED, order.ordered.expiresAt, escrow.closesAt - 1000)
    if (order.signedUntil !== Math.floor(until / 1000)) order.signedAt.push(this.now)
    order.signedUntil = Math.floor(until / 1000)
    order.room = order.ordered
  }

  /** Whether an order in a coin is paid at an address of its own. */
  takesAddress(code: string): boolean {
    return this.#settings.coins.get(code)?.watched === true && !this.isInEscrow(code)
  }

  /** Whether operators confirm an order, and no chain. */
  isByHand(order: Order): boolean {
    return !this.#coin(order).watched
  }

  /** Why a buyer can't name the transaction of an order's payment. */
  refusalOfName(order: Order, transaction: string): string | null {
    if (!this.isByHand(order)) return 'transaction_id_not_needed'
    const isUnpaid = ['awaiting_payment', 'expired'].includes(this.detailOf(order))
    if (order.status !== 'pending' || !isUnpaid) return 'order_state'
    return order.named !== transaction && this.#isTaken(order, transaction) ? 'transaction_id_taken' : null
  }

  name(order: Order, transaction: string | null): void {
    order.named = transaction
    order.isSent = true
  }

  /** Whether another order is approved by the transaction, or owes what came by it. */
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

  /** Why an operator's approval is refused: its chain alone approves it, it is rejected for good, it is too late, or there is no room. */
  refusalOfApproval(order: Order): string | null {
    if (order.status === 'approved') return null
    if (!this.isByHand(order)) return 'order_on_chain'
    if (this.softCap.isMissed) return 'soft_cap_missed'
    if (order.status === 'rejected') return 'order_state'
    if (this.softCap.verdict || this.now > order.ordered.expiresAt + APPROVED_FOR) return 'approval_over'
    if (this.#isTaken(order, order.named)) return 'transaction_id_taken'
    return this.#refusalOfRoom(order)
  }

  /** What may still be paid into an escrow, or lies there, is nobody's to reject. */
  refusalOfRejection(order: Order, came: Exact | null): string | null {
    if (came && !this.isByHand(order)) return 'order_on_chain'
    const owed = this.refunds.find((refund) => refund.order === order.number)
    if (order.status === 'rejected' && owed && came?.isPositive && !came.equals(owed.amount))
      return 'order_state'
    if (order.status === 'rejected') return null
    if (this.#isKept(order)) return 'order_in_escrow'
    if (this.#mayBePaid(order)) return 'order_signed'
    return isLess(NOTHING, order.listed) ? 'tokens_allocated' : null
  }

  /** Why its buyer can't take an order back. */
  refusalOfTakingBack(order: Order): string | null {
    return order.isTakenBack || this.#mayBeTakenBack(order) ? null : 'money_back_over'
  }

  /** What was bought with it is owed. */
  takeBack(order: Order): void {
    if (order.isTakenBack) return
    order.isTakenBack = true
    this.reject(order, this.isByHand(order) ? order.coins : Exact.zero)
  }

  approve(order: Order): void {
    if (order.status === 'approved') return
    this.#approve(order, 'operator')
  }

  /** @param came What operators say of a fixed address; a chain says it itself. */
  reject(order: Order, came: Exact): void {
    const word = this.refunds.some((refund) => refund.order === order.number)
    if (order.status === 'rejected' && (!this.isByHand(order) || word || !came.isPositive)) return
    // Whoever hears that it was rejected has heard of it.
    order.isSent ||= order.status === 'pending'
    this.rewards.takeBack(order.number, Exact.zero)
    Object.assign(order, { status: 'rejected', via: null })
    order.stood.note(this.now, NOTHING)
    if (came.isPositive)
      this.refunds.push({ order: order.number, payment: null, amount: came, state: 'owed' })
    this.#settle(order)
  }

  /** Whether what an order of a friend brings is to be decided now. */
  isRewardDue(order: Order): boolean {
    return this.rewards.isDue(this.#bringing(order))
  }

  decideReward(order: Order): void {
    this.rewards.decide(this.#bringing(order), this.#toGive, this.now)
  }

  /** A delivery round takes what stood at `cut`: of each order, grant and reward what no round has yet. Answers why it does not. */
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
      for (const payment of this.#finals(order)) order.listedPayments.add(payment)
    }
    for (const one of [...grants, ...rewards]) one.isListed = true
    this.rounds += 1
    return null
  }

  /** What a round may list of an order: what it had at the cut and still has, as far as final payments buy it. */
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

  /** The base tokens that its final payments buy without the others; all where operators approved it. */
  #finalBase(order: Order): Exact {
    if (order.via === 'operator') return order.base
    const finals = this.#finals(order)
    const parts = this.#parts(order).filter(({ payment }) => finals.has(payment))
    return Exact.least(order.base, this.#judge(order, parts, order.base).base)
  }

  /** What bought something of an order and is final, or is listed by a round. */
  #finals(order: Order): ReadonlySet<Payment> {
    const own = this.payments.of(order.number).filter(({ credited }) => credited.isPositive)
    return new Set(own.filter((payment) => payment.isFinal || isListed(order, payment)))
  }

  #baseForReward(order: Order): Exact {
    if (order.status !== 'approved' || this.softCap.isMissed || this.#mayBeTakenBack(order)) return Exact.zero
    if (order.via === 'operator')
      return order.approvedAt + BY_HAND_AFTER <= this.now ? order.base : Exact.zero
    // The simulation delivers nothing: until then what lies in an escrow may go back.
    return this.isInEscrow(order.currency) ? Exact.zero : this.#finalBase(order)
  }

  /** For so many days from what was bought last, while the sale lasts, and not what a round has. */
  #mayBeTakenBack({ status, ordered, approvedAt, listed }: Order): boolean {
    const until = Math.min(approvedAt + ordered.moneyBackDays * DAY, this.#sale.endsAt)
    const isListed = isLess(NOTHING, listed)
    return ordered.moneyBackDays > 0 && status === 'approved' && !isListed && this.now < until
  }

  /** Who has named an address for tokens: those who were there from the start. */
  #hasAddress(buyer: number): boolean {
    return buyer < this.#settings.mailboxes.length
  }

  /** Why an operator can't owe back a payment of another coin. */
  refusalOfRefund(payment: Payment): string | null {
    const { isForeign, gone, owed, confirmations } = payment
    const isOpen = isForeign && gone === null && !owed.isPositive
    return isOpen && this.payments.hasEnough(payment, confirmations) ? null : 'payment_state'
  }

  /** An operator owes it back to whose address it reached, on the page of an order. */
  refund(payment: Payment): void {
    this.#oweOf(payment, payment.order, payment.amount)
  }

  /** What an address was named for before it was written off is claimed still, or prepared. */
  #oweOf(payment: Payment, order: number, amount: Exact): void {
    payment.owed = payment.owed.plus(amount)
    const before = this.refunds.findLast(
      (refund) =>
        refund.payment === payment &&
        refund.order === order &&
        refund.state === 'written_off' &&
        (refund.before === 'claimed' || refund.before === 'prepared') &&
        refund.amount.equals(amount),
    )
    if (before?.before) before.state = before.before
    else this.refunds.push({ order, payment, amount, state: 'owed' })
  }

  /** A chain was read: what was paid is known, and each order that it concerns is settled. */
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

  /** The sale missed its soft cap: what was paid is owed. */
  payBack(order: Order): void {
    this.reject(order, this.isByHand(order) ? order.ordered.asked : Exact.zero)
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

  /** What a buyer reads of an order now. */
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
    const mayComeBack = this.payments.of(order.number).some(({ gone }) => gone === 'orphaned')
    if (approvals > 0 && mayComeBack) return 'under_review'
    return isInTime || this.#mayBePaid(order) ? 'awaiting_payment' : 'expired'
  }

  // How

  #escrowOf(code: string, stageId: number): Escrow | undefined {
    return this.#settings.escrows.find(
      ({ coin, stage, closesAt }) => coin === code && stage === stageId && this.now < closesAt,
    )
  }

  /** Whether what was signed may still be paid, though nobody has seen it: until a final block is younger, and while none was given back. */
  #mayBePaid(order: Order): boolean {
    if (order.signedUntil === null || this.#isGivenBack(order)) return false
    return (this.finalAt.get(this.#coin(order).network) ?? 0) <= order.signedUntil * 1000
  }

  /** Whether an order holds room for a signature that no block of the network can pay any more. */
  #isEnded(order: Order, network: string): boolean {
    const isSigned = isHeld(order) && order.signedUntil !== null && this.#coin(order).network === network
    return isSigned && !this.#isKept(order) && !this.#mayBePaid(order)
  }

  /** Whether an escrow holds money of an order that it has not given back. */
  #isKept({ number, currency }: Order): boolean {
    return this.isInEscrow(currency) && this.payments.of(number).some(isAlive)
  }

  /** Whether a block shows an order's money in its escrow, which owes its tokens then. */
  #isInItsEscrow({ number, currency }: Order): boolean {
    const own = this.payments.of(number)
    return this.isInEscrow(currency) && own.some((payment) => isAlive(payment) && payment.block)
  }

  /** Whether money of an order lies in its escrow, and no block gave it back. */
  #liesThere({ number }: Order): boolean {
    return this.payments.of(number).some((payment) => isAlive(payment) && payment.returned === null)
  }

  /** Whether an escrow gave an order's money back. */
  #isGivenBack({ number }: Order): boolean {
    return this.payments.of(number).some(({ isReturned }) => isReturned)
  }

  /** What may buy something once it is counted: what is too little by itself changes nothing that a buyer sees. */
  #unconfirmed(order: Order): Payment[] {
    return this.payments
      .of(order.number)
      .filter((payment) => isAlive(payment) && !payment.isConfirmed && !this.#isLittle(order, payment))
  }

  /** By what its coins were worth when it was first seen, whether they can buy or not. */
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

  /** What a coin that is first seen then is worth at the order's price; null where it came in time. */
  #worthAt({ ordered, currency }: Order, at: number): Exact | null {
    if (at <= ordered.expiresAt) return null
    const worth = (this.#rates.get(currency) as History<Exact>).at(at).times(this.#price.at(at))
    return worth.over(ordered.price).rounded(12)
  }

  /** Until when each payment that no block holds is worth waiting for. */
  #seen(order: Order): number[] {
    return this.#unconfirmed(order)
      .filter(({ block }) => !block)
      .map(({ seenAt }) => seenAt + MINED_WITHIN)
      .filter((until) => until > this.now)
  }

  /** What came in another coin is none of an order's money. */
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

  /** Why what was asked can't be taken, beyond what is taken already. */
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
    const coin = [...this.#settings.coins].find(
      ([, { network: own, asset: paid }]) => own === network && paid === asset,
    )
    const usd = coin ? amount.times(this.rate(coin[0])).times(this.price).rounded(2) : Exact.zero
    return this.#needsOfDollars(network, Exact.most(order.ordered.usd, usd))
  }

  #needsOfAll(network: string, number: number, payments: readonly Payment[]) {
    const order = this.#order(number)
    const usd = Exact.sum(
      payments.map((payment) => this.#dollarsOf(order, payment.amount, this.#worth(order, payment))),
    )
    return this.#needsOfDollars(network, Exact.most(order.ordered.usd, usd))
  }

  /** At the locked rate, or at what a late payment is worth if it is more. */
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

  /** Brings an order to what its payments say now. */
  #settle(order: Order): void {
    if (order.status === 'approved' && this.softCap.isMissed) return this.payBack(order)
    this.#writeOff(order)
    const { ordered } = order
    const parts = this.#parts(order)
    order.isSent ||= parts.some(({ left }) => left.isPositive)
    // A round has tokens of it, so that nothing more of it can be taken back.
    const isOver = ordered.moneyBackDays > 0 && isLess(NOTHING, order.listed)
    const open = parts.filter(({ payment }) => !isOver || payment.credited.isPositive)
    const most = this.#take(order, open)
    // What was bought stands while a block holds it.
    const counted = parts.filter(
      ({ payment }) =>
        payment.isConfirmed ||
        (payment.credited.isPositive && payment.block !== null) ||
        isListed(order, payment),
    )
    const standing = counted.filter((part) => open.includes(part))
    // What would take from a payment what rounds have is owed: only what was bought by then is judged.
    const takes = this.#takesFromRounds(order, this.#judge(order, standing, most))
    const own = takes ? standing.filter(({ payment }) => payment.credited.isPositive) : standing
    const judged = this.#judge(order, own, most)
    if (!this.#standsAs(order, judged)) this.#buy(order, judged)
    const bought = order.status === 'approved' ? order : NOTHING
    order.room = takes ? NOTHING : less(amountsOf(ordered, most), bought)
    for (const part of counted) {
      const { payment, amount } = part
      if (!isAlive(payment) || !payment.block) continue
      const rest = amount.minus(payment.credited).minus(payment.owed)
      // What is too little is owed only where the rest of it buys, or its order is rejected.
      const isLeft =
        this.#isLittle(order, payment) && !payment.credited.isPositive && order.status !== 'rejected'
      if (rest.isPositive && !isLeft) this.#oweOf(payment, order.number, rest)
    }
  }

  /** Whether a payment would buy less of which rounds have tokens. */
  #takesFromRounds(order: Order, { credited }: Judged): boolean {
    return this.payments
      .of(order.number)
      .some(
        (payment) =>
          isListed(order, payment) && (credited.get(payment.id) ?? Exact.zero).isBelow(payment.credited),
      )
  }

  /** The payments of an order that stand; what a round lists stays bought. */
  #parts(order: Order): Standing[] {
    return this.payments
      .of(order.number)
      .filter((payment) => isAlive(payment) || isListed(order, payment))
      .map((payment) => {
        const { id, amount, owed } = payment
        return { id, amount, left: amount.minus(owed), at: firstSeen(payment, this.now), payment }
      })
  }

  /** The tokens that an order has from now on, bought or not: what it wants, as far as there is room. */
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

  /** Whether it stands on exactly these coins: judged again, what was cut would buy a little more for them. */
  #standsAs({ number, status }: Order, { credited }: Judged): boolean {
    const own = this.payments.of(number)
    return (
      status === 'approved' &&
      own.every(({ id, credited: coins }) => coins.equals(credited.get(id) ?? Exact.zero))
    )
  }

  /** What it buys otherwise than before is taken back, and approved anew. */
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

  /** What payments buy; a late one while the order's stage and price are in force and the sale is not paused. */
  #judge(order: Order, parts: readonly Standing[], most: Exact): Judged {
    return judge(order.ordered, parts, most, ({ payment }) => this.#lateRate(order, payment))
  }

  /** Once it is known when a payment was first seen, its rate stays. */
  #lateRate(order: Order, payment: Payment): Exact | null {
    const known = this.#lateRates.get(payment)
    if (known !== undefined) return known
    const rate = this.#lateRateAt(order, firstSeen(payment, this.now))
    if (payment.firstSeenAt !== null) this.#lateRates.set(payment, rate)
    return rate
  }

  /** The rate at which what is first seen then buys; null where it came in time or buys nothing. */
  #lateRateAt(order: Order, at: number): Exact | null {
    if (at <= order.ordered.expiresAt) return null
    const { startsAt, endsAt } = this.#stage(order)
    const isInForce = startsAt <= at && at < endsAt && this.#price.at(at).equals(order.ordered.price)
    const { moneyBackDays: days } = order.ordered
    if (days > 0 && at > order.madeAt + (days - 1) * DAY) return null
    const isRefused = this.#paused.at(at) || this.#refusals.get(order.currency)?.at(at)
    const rates = this.#rates.get(order.currency) as History<Exact>
    return isInForce && !isRefused ? rates.at(at) : null
  }

  /** What is owed for a payment that the chain no longer shows is not owed any more, unless it was sent. */
  #writeOff({ number }: Order): void {
    for (const refund of this.refunds) {
      if (refund.order !== number || !refund.payment) continue
      if (!['owed', 'claimed', 'prepared'].includes(refund.state)) continue
      const { gone, block, isReturned } = refund.payment
      if (gone === null && block && !isReturned) continue
      refund.before = refund.state
      refund.state = 'written_off'
      refund.payment.owed = refund.payment.owed.minus(refund.amount)
    }
  }
}

/** What an order has taken, bought or not. */
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

/** Whether there is less of one kind of token. */
const isLess = (one: Tokens, other: Tokens) => one.base.isBelow(other.base) || one.bonus.isBelow(other.bonus)

/** Whether a purchase stands on what no block holds any more. */
const isGone = (payment: Payment) => payment.credited.isPositive && (!isAlive(payment) || !payment.block)

/** Whether a delivery round lists tokens that it bought. */
const isListed = ({ listedPayments }: Order, payment: Payment) =>
  payment.credited.isPositive && listedPayments.has(payment)

const isHeld = ({ room }: Order) => room.base.isPositive

const asOrdered = ({ base, bonus, usd, rate, asked: coins }: Ordered) => ({ base, bonus, usd, rate, coins })

/** A rate has 6 decimals or 12 significant digits, whichever is finer. */
function keptRate(rate: Exact): Exact {
  return rate.rounded(Math.max(6, 11 - rate.magnitude))
}

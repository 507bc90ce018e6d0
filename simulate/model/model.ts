import { Exact } from './exact.ts'
import { countsFrom, isAlive, type Payment, Payments, type Reading, type TruePayment } from './payments.ts'
import { type Bringing, type ReferralTerms, Rewards } from './rewards.ts'
import { type Bought, type Part, type Promised, Settling, type Terms } from './settling.ts'
import { SoftCap } from './soft-cap.ts'

// The sale as docs/rules.md says that it must be, computed from what happened. Nothing here comes from the product.

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const DECLARE = 7 * DAY
/** Operators approve an order at a fixed address for so long after it expired. */
const APPROVED_FOR = 3 * DAY

export interface Level {
  readonly threshold: Exact
  readonly percent: Exact
}

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
  readonly levels: readonly Level[]
  readonly price: Exact
  readonly minimum: Exact
  readonly maximum: Exact
  readonly hardCap: Exact
  readonly saleTokens: Exact
  readonly bonusTokens: Exact
  readonly quoteMinutes: number
  readonly orderMinutes: { readonly watched: number; readonly fixed: number }
  /** By network: below how many dollars how many confirmations, in order; the last one for any sum. */
  readonly confirmations: ReadonlyMap<string, readonly ConfirmationRule[]>
  /** What bringing a buyer brings; null: nothing. */
  readonly referral: ReferralTerms | null
  /** The mailboxes of the buyers that are there from the start. */
  readonly mailboxes: readonly string[]
  readonly escrows: readonly Escrow[]
}

/** A contract that holds the money of a stage's orders in its coins; there are no other orders in these. */
export interface Escrow {
  readonly stage: number
  readonly coin: string
  readonly cap: Exact
  readonly closesAt: number
}

/** What was signed of an order: its escrow takes that until `validUntil`, in seconds. */
interface Signature {
  readonly quote: Quote
  readonly validUntil: number
}

interface ConfirmationRule {
  readonly below: Exact | null
  readonly confirmations: number
  readonly isFinal: boolean
}

export interface Quote extends Promised {
  readonly id: string
  readonly buyer: number
  readonly currency: string
  readonly address: string
  readonly bonus: Exact
  readonly expiresAt: number
  /** Where its buyer declares to live. */
  readonly country: string
  /** Whether its order has its place before anything is paid. */
  holdsUnpaid: boolean
}

const WAITING = ['awaiting_payment', 'underpaid']
/** While unpaid orders hold more than this part of what a stage has left, new ones hold nothing. */
const UNPAID_SHARE = Exact.of('0.5')

/** An order as it must stand. */
export interface Order {
  readonly number: number
  readonly quote: Quote
  status: 'pending' | 'approved' | 'rejected'
  via: 'chain' | 'operator' | null
  /** Of a pending order; of others it follows from what is owed. */
  detail: string
  /** How it was ended last, where it was. */
  ended: 'cancelled' | 'rejected_by_operator' | 'reversed'
  isHeld: boolean
  stage: number
  base: Exact
  bonus: Exact
  usd: Exact
  price: Exact
  rate: Exact
  readonly expiresAt: number
  declareBy: number | null
  declaredAt: number | null
  /** Where its buyer declared to live. */
  country: string | null
  isCountryAsked: boolean
  /** When a window ends. */
  dueAt: number | null
  approvals: number
  /** When it was approved last. */
  approvedAt: number
}

/** What is owed back for a payment, or by the word of operators (`payment` null). How it is paid is the chain's to say. */
export interface Refund {
  readonly order: number
  readonly payment: Payment | null
  readonly amount: Exact
  state: 'owed' | 'claimed' | 'prepared' | 'sent' | 'paid' | 'written_off'
  /** What it was when it was written off: somebody may have signed or sent it. */
  before?: Refund['state']
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

const HUNDRED = Exact.of('100')

export class Model {
  now: number
  readonly orders: Order[] = []
  readonly refunds: Refund[] = []
  readonly granted = new Map<string, { buyer: number; amount: Exact; isReversed: boolean }>()
  readonly payments: Payments
  readonly rewards: Rewards
  readonly softCap = new SoftCap()
  /** Where each buyer wants money back, by chain and address. */
  refundsTo: ReadonlyMap<number, ReadonlySet<string>> = new Map()
  readonly signatures = new Map<string, Signature>()
  /** The time of the newest final block of each chain that was read. */
  finalAt: ReadonlyMap<string, number> = new Map()
  readonly quotes = new Map<string, Quote>()
  readonly pausedCurrencies = new Set<string>()
  readonly #settings: Settings
  readonly #price: History<Exact>
  readonly #rates: Map<string, History<Exact>>
  readonly #paused = new History(false)
  readonly #pricedStages = new Set<number>()
  readonly #byAddress = new Map<string, Quote>()

  constructor(settings: Settings, now: number) {
    this.now = now
    this.#settings = settings
    this.#price = new History(settings.price)
    this.#rates = new Map([...settings.coins].map(([code, { rate }]) => [code, new History(rate)]))
    for (const { id, startsAt } of settings.stages) if (startsAt <= now) this.#pricedStages.add(id)
    this.rewards = new Rewards(settings.mailboxes, (buyer) => this.refundsTo.get(buyer))
    this.rewards.terms = settings.referral
    this.payments = new Payments({
      isOurs: (address) => this.#byAddress.has(address),
      orderPaidAt: (payment) => this.#orderPaidAt(payment),
      needsOf: (network, order, payment, isForeign) => this.#needsOf(network, order, payment, isForeign),
      needsOfAll: (network, order, amounts) => this.#needsOfAll(network, order, amounts),
      undo: ({ order }) => {
        if (order !== null) this.#settle(this.#order(order))
      },
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

  setRate(code: string, rate: Exact): void {
    this.#rates.get(code)?.note(this.now, rate)
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

  percentReached(tokens: Exact): Exact {
    const { levels } = this.#settings
    const reached = levels.findLast(({ threshold }) => !tokens.isBelow(threshold)) ?? levels[0]
    return reached?.percent ?? Exact.zero
  }

  // What buyers have and what is left

  balanceOf(buyer: number): Exact {
    const bought = this.#approved().filter(({ quote }) => quote.buyer === buyer)
    const granted = [...this.granted.values()].filter((grant) => grant.buyer === buyer && !grant.isReversed)
    return Exact.sum([
      ...bought.flatMap(({ base, bonus }) => [base, bonus]),
      ...granted.map(({ amount }) => amount),
      this.rewards.of(buyer),
    ])
  }

  depositsOf(buyer: number): Exact {
    return Exact.sum(
      this.#approved()
        .filter(({ quote }) => quote.buyer === buyer)
        .map(({ usd }) => usd),
    )
  }

  raised(stage: number, via: 'chain' | 'operator'): Exact {
    return Exact.sum(
      this.#approved()
        .filter((order) => order.stage === stage && order.via === via)
        .map(({ usd }) => usd),
    )
  }

  sold(stage: number): { base: Exact; bonus: Exact; orders: number } {
    const orders = this.#approved().filter((order) => order.stage === stage)
    const base = Exact.sum(orders.map((order) => order.base))
    return { base, bonus: Exact.sum(orders.map(({ bonus }) => bonus)), orders: orders.length }
  }

  leftOfStage({ id, goal }: Stage): Exact {
    return goal.minus(Exact.sum(this.#taken().flatMap(({ stage, usd }) => (stage === id ? [usd] : []))))
  }

  get left(): { usd: Exact; sale: Exact; bonus: Exact } {
    const { hardCap, saleTokens, bonusTokens } = this.#settings
    const taken = this.#taken()
    const granted = [...this.granted.values()].flatMap(({ amount, isReversed }) =>
      isReversed ? [] : [amount],
    )
    return {
      usd: hardCap.minus(Exact.sum(taken.map(({ usd }) => usd))),
      sale: saleTokens.minus(Exact.sum(taken.map(({ base }) => base))),
      bonus: bonusTokens.minus(Exact.sum([...taken.map(({ bonus }) => bonus), ...granted, this.rewards.all])),
    }
  }

  get stages(): readonly Stage[] {
    return this.#settings.stages
  }

  // What may be asked

  /** Why a quote of so many tokens is refused now; null where it is given. */
  refusalOfQuote(code: string, buyer: number, tokens: Exact): string | null {
    const stage = this.openStage
    if (this.isPaused) return 'sale_paused'
    if (!stage)
      return this.stages.some(({ startsAt }) => startsAt > this.now) ? 'stage_not_started' : 'stage_closed'
    if (this.pausedCurrencies.has(code)) return 'currency_paused'
    if (this.isInEscrow(code) && !this.#escrowOf(code, stage.id)) return 'escrow_missing'
    const byDollars = Exact.least(this.leftOfStage(stage), this.left.usd).over(this.price).cut(6)
    const left = Exact.least(byDollars, this.left.sale)
    const isRest = left.isBelow(this.#settings.minimum) && tokens.equals(left)
    if (tokens.isBelow(this.#settings.minimum) && !isRest) return 'amount_below_minimum'
    if (this.#settings.maximum.isBelow(tokens)) return 'amount_above_maximum'
    if (byDollars.isBelow(tokens)) return 'cap_reached'
    if (this.left.sale.isBelow(tokens)) return 'supply_reached'
    if (this.left.bonus.isBelow(this.quoteOf(code, buyer, tokens).bonus)) return 'supply_reached'
    return this.isInEscrow(code) && this.notHeldBecause(buyer, tokens) ? 'escrow_not_held' : null
  }

  /** What a quote must say. */
  quoteOf(code: string, buyer: number, base: Exact): Omit<Quote, 'id' | 'address' | 'expiresAt' | 'country'> {
    const heldPercent = this.percentReached(this.balanceOf(buyer))
    const percent = Exact.most(heldPercent, this.percentReached(base))
    const rate = this.rate(code)
    return {
      buyer,
      currency: code,
      base,
      percent,
      heldPercent,
      rate,
      price: this.price,
      bonus: base.times(percent).over(HUNDRED).rounded(6),
      usd: base.times(this.price).rounded(2),
      asked: base.over(rate).rounded(6),
      stage: this.openStage?.id ?? 0,
      holdsUnpaid: this.notHeldBecause(buyer, base) === null,
    }
  }

  /** Why an order of so many tokens would hold nothing before its payment is seen; null where it would. */
  notHeldBecause(buyer: number, base: Exact): 'stage' | 'buyer' | null {
    const stage = this.openStage
    if (stage && this.#isScarce(stage)) return 'stage'
    return this.#holdable(buyer, this.price).isBelow(base.times(this.price).rounded(2)) ? 'buyer' : null
  }

  /** The dollars that a buyer's unpaid orders may hold besides what they hold: in all those of one largest order. */
  #holdable(buyer: number, price: Exact): Exact {
    const unpaid = this.orders.filter(
      ({ quote, isHeld, detail }) => quote.buyer === buyer && isHeld && WAITING.includes(detail),
    )
    return this.#settings.maximum
      .times(price)
      .rounded(2)
      .minus(Exact.sum(unpaid.map(({ usd }) => usd)))
  }

  /** Whether unpaid orders hold more than half of what is neither sold nor held with its payment seen. */
  #isScarce(stage: Stage): boolean {
    const taken = this.#taken().filter((order) => order.stage === stage.id)
    const paid = taken.filter(({ status, detail }) => status === 'approved' || !WAITING.includes(detail))
    const left = stage.goal.minus(Exact.sum(paid.map(({ usd }) => usd)))
    return this.leftOfStage(stage).isBelow(left.times(UNPAID_SHARE))
  }

  quoted(quote: Quote): void {
    this.quotes.set(quote.id, quote)
    // Every order in a coin of the operators is paid at one address.
    if (this.#coinOf(quote).watched) this.#byAddress.set(quote.address, quote)
  }

  orderOf(quote: string): Order | undefined {
    return this.orders.find((order) => order.quote.id === quote)
  }

  /** Why an order of a quote is refused now. */
  refusalOfOrder(quote: Quote): string | null {
    const stage = this.stages.find(({ id }) => id === quote.stage)
    if (quote.expiresAt <= this.now) return 'quote_expired'
    if (this.isPaused) return 'sale_paused'
    if (this.pausedCurrencies.has(quote.currency)) return 'currency_paused'
    if (!stage || this.now < stage.startsAt || this.now >= stage.endsAt) return 'stage_closed'
    if (!quote.holdsUnpaid) return null
    if (this.#holdable(quote.buyer, quote.price).isBelow(quote.usd)) return 'place_not_held'
    return this.#isScarce(stage) ? 'place_not_held' : this.#refusalOfRoom(stage.id, quote)
  }

  // What happens

  confirm(quote: Quote): void {
    const { watched, fixed } = this.#settings.orderMinutes
    const minutes = this.#coinOf(quote).watched ? watched : fixed
    this.#make(quote, 'awaiting_payment', this.now + minutes * MINUTE, null).country = quote.country
  }

  refusalOfCancel({ status, detail, quote }: Order): string | null {
    if (status !== 'pending' || !['awaiting_payment', 'expired'].includes(detail))
      return 'order_not_cancellable'
    return this.#mayBePaid(quote) ? 'order_signed' : null
  }

  /** Whether orders in a coin are paid into escrows. */
  isInEscrow(code: string): boolean {
    return this.#settings.escrows.some(({ coin }) => coin === code)
  }

  /** Why nothing is signed of an order, of which its contract says `inEscrow`. A contract's clock is its newest block's. */
  refusalOfSignature(order: Order, inEscrow: { order: string; minedAt: number }): string | null {
    const { quote, status, detail, isHeld, expiresAt } = order
    const escrow = this.#settings.escrows.find(
      ({ coin, stage }) => coin === quote.currency && stage === quote.stage,
    )
    if (!escrow) return 'order_not_escrowed'
    if (inEscrow.order !== 'none') return 'order_state'
    if (escrow.closesAt <= inEscrow.minedAt) return 'escrow_not_open'
    const isTooLate = Math.min(expiresAt, escrow.closesAt) <= this.now + MINUTE / 2
    if (status !== 'pending' || detail !== 'awaiting_payment' || !isHeld || isTooLate) return 'order_state'
    if (this.signatures.has(quote.id)) return null
    const promised = [...this.signatures.values()].filter(
      (signed) =>
        signed.quote.stage === quote.stage &&
        (signed.validUntil >= (this.now - 60 * MINUTE) / 1000 || this.#liesThere(signed.quote)),
    )
    const tokens = Exact.sum([quote, ...promised.map((signed) => signed.quote)].flatMap(promiseOf))
    return escrow.cap.isBelow(tokens) ? 'escrow_full' : null
  }

  /** Signs until the order's time is over, or its escrow's. */
  sign({ quote, expiresAt }: Order): void {
    if (this.signatures.has(quote.id)) return
    const escrow = this.#escrowOf(quote.currency, quote.stage) as Escrow
    const until = Math.min(expiresAt, escrow.closesAt - 1000)
    this.signatures.set(quote.id, { quote, validUntil: Math.floor(until / 1000) })
  }

  cancel(order: Order): void {
    this.#end(order, 'cancelled')
    this.#settle(order)
  }

  /** Whether an order in a coin is paid at an address of its own. */
  takesAddress(code: string): boolean {
    return this.#settings.coins.get(code)?.watched === true && !this.isInEscrow(code)
  }

  /** Whether operators confirm an order, and no chain. */
  isByHand(order: Order): boolean {
    return !this.#coin(order).watched
  }

  /** Why an operator's approval is refused: its chain alone approves it, it is rejected for good, it is too late, or there is no room. */
  refusalOfApproval(order: Order): string | null {
    if (order.status === 'approved') return null
    if (!this.isByHand(order)) return 'order_on_chain'
    if (this.softCap.isMissed) return 'soft_cap_missed'
    if (order.status === 'rejected') return 'order_state'
    if (this.softCap.verdict || this.now > order.expiresAt + APPROVED_FOR) return 'approval_over'
    return order.isHeld ? null : this.#refusalOfRoom(order.stage, order)
  }

  /** What may still be paid into an escrow, or lies there, is nobody's to reject. */
  refusalOfRejection(order: Order, came: Exact | null): string | null {
    if (came && !this.isByHand(order)) return 'order_on_chain'
    const owed = this.refunds.find((refund) => refund.order === order.number)
    if (order.status === 'rejected' && owed && came?.isPositive && !came.equals(owed.amount))
      return 'order_state'
    if (order.status === 'rejected') return null
    if (this.#isKept(order)) return 'order_in_escrow'
    return this.#mayBePaid(order.quote) ? 'order_signed' : null
  }

  approve(order: Order): void {
    if (order.status === 'approved') return
    this.#approve(order, 'operator')
  }

  /** @param came What operators say of a fixed address; a chain says it itself. */
  reject(order: Order, came: Exact): void {
    const word = this.refunds.some((refund) => refund.order === order.number)
    const isSaidAgain = order.ended === 'cancelled' || came.isPositive
    if (order.status === 'rejected' && (!this.isByHand(order) || word || !isSaidAgain)) return
    this.rewards.takeBack(order.number, order.approvals)
    this.#end(order, order.status === 'approved' ? 'reversed' : 'rejected_by_operator')
    for (const payment of this.payments.of(order.number)) payment.credited = Exact.zero
    if (came.isPositive)
      this.refunds.push({ order: order.number, payment: null, amount: came, state: 'owed' })
    this.#settle(order)
  }

  refusalOfDeclaration({ status, declaredAt, declareBy }: Order): string | null {
    const isOpen = status === 'pending' && declaredAt === null && declareBy !== null && declareBy > this.now
    return isOpen ? null : 'order_state'
  }

  declare(order: Order): void {
    order.declaredAt = this.now
    order.country = order.quote.country
    order.isCountryAsked = this.rewards.asksCountry
    this.#settle(order)
  }

  /** Whether what an order of a friend brings is to be decided now. */
  isRewardDue(order: Order): boolean {
    const { status, via, approvedAt: at } = order
    const stands = this.payments.of(order.number).filter(({ credited }) => credited.isPositive)
    // The simulation delivers nothing: until then what lies in an escrow may go back.
    const isFinal =
      stands.every((payment) => payment.isFinal && isAlive(payment)) && !this.isInEscrow(order.quote.currency)
    if (this.softCap.isMissed) return false
    return status === 'approved' && this.rewards.isDue(bringing(order), this.now, { via, at, isFinal })
  }

  decideReward(order: Order): void {
    this.rewards.decide(bringing(order), this.left.bonus)
  }

  expire(order: Order): void {
    order.isHeld = false
    order.detail = 'expired'
  }

  isExpiring({ detail, status, expiresAt, quote }: Order): boolean {
    const isOver = status === 'pending' && detail === 'awaiting_payment' && expiresAt <= this.now
    return isOver && !this.#mayBePaid(quote)
  }

  isDue({ dueAt }: Order): boolean {
    return dueAt !== null && dueAt <= this.now
  }

  settleDue(order: Order): void {
    this.#settle(order)
  }

  /** Why an operator can't owe back a payment of another coin. */
  refusalOfRefund(payment: Payment): string | null {
    const { isForeign, gone, owed, confirmations } = payment
    const isOpen = isForeign && gone === null && !owed.isPositive
    return isOpen && this.payments.hasEnough(payment, confirmations) ? null : 'payment_state'
  }

  /** An operator owes it back to whose address it reached, on the page of an order. */
  refund(payment: Payment): void {
    const quote = this.#byAddress.get(payment.address) as Quote
    payment.order ??= this.orderOf(quote.id)?.number ?? this.#makePaid(quote)
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
    const changed = this.payments.read(reading)
    for (const number of [...changed].toSorted((a, b) => a - b)) this.#settle(this.#order(number))
  }

  get isSoftCapDue(): boolean {
    return this.softCap.isDue(this.#sale)
  }

  decideSoftCap(): void {
    this.softCap.decide(this.#sale)
  }

  /** The sale missed its soft cap: what was paid is owed. */
  payBack(order: Order): void {
    this.reject(order, this.isByHand(order) ? order.quote.asked : Exact.zero)
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

  /** What a buyer reads of an order. */
  detailOf(order: Order): string {
    const { status, via } = order
    if (status === 'pending') return order.detail
    const own = this.#standing(order)
    const isOpen = own.some(({ state }) => state !== 'paid')
    const isGivenBack = this.#isGivenBack(order)
    if (status === 'approved')
      return isOpen ? 'overpaid' : via === 'chain' ? 'credited' : 'approved_by_operator'
    if (isOpen) return 'refund_due'
    return isGivenBack || own.some(({ state }) => state === 'paid') ? 'refunded' : order.ended
  }

  // How

  #escrowOf(code: string, stageId: number): Escrow | undefined {
    return this.#settings.escrows.find(
      ({ coin, stage, closesAt }) => coin === code && stage === stageId && this.now < closesAt,
    )
  }

  /** Whether what was signed may still be paid, though nobody has seen it: until a final block is younger, and while none was given back. */
  #mayBePaid({ id, address, currency }: Quote): boolean {
    const signed = this.signatures.get(id)
    if (!signed) return false
    const isGivenBack = this.payments.all.some((payment) => payment.address === address && payment.isReturned)
    const { network } = this.#settings.coins.get(currency) as Coin
    return !isGivenBack && (this.finalAt.get(network) ?? 0) <= signed.validUntil * 1000
  }

  /** Whether an escrow holds money of an order that it has not given back. */
  #isKept({ number, quote }: Order): boolean {
    return this.isInEscrow(quote.currency) && this.payments.of(number).some(isAlive)
  }

  /** Whether money of a quote lies in its escrow, and no block gave it back. */
  #liesThere({ address }: Quote): boolean {
    return this.payments.all.some(
      (payment) => payment.address === address && isAlive(payment) && payment.returned === null,
    )
  }

  /** Whether an escrow gave an order's money back. */
  #isGivenBack({ number }: Order): boolean {
    return this.payments.of(number).some(({ isReturned }) => isReturned)
  }

  /** What a buyer's payments were sent from, whatever became of them. */
  /** What came in another coin is none of an order's money. */
  #standing({ number }: Order): Refund[] {
    return this.refunds.filter(
      ({ order, state, payment }) =>
        order === number && state !== 'written_off' && !payment?.isForeign && !payment?.isReturned,
    )
  }

  #order(number: number): Order {
    return this.orders.find((order) => order.number === number) as Order
  }

  #coin(order: Order): Coin {
    return this.#coinOf(order.quote)
  }

  #coinOf({ currency }: Pick<Quote, 'currency'>): Coin {
    return this.#settings.coins.get(currency) as Coin
  }

  #approved(): Order[] {
    return this.orders.filter(({ status }) => status === 'approved')
  }

  #taken(): Order[] {
    return this.orders.filter(({ status, isHeld }) => isHeld || status === 'approved')
  }

  #refusalOfRoom(
    stageId: number,
    { usd, base, bonus }: Pick<Order, 'usd' | 'base' | 'bonus'>,
  ): string | null {
    const stage = this.stages.find(({ id }) => id === stageId) as Stage
    const { left } = this
    if (Exact.least(this.leftOfStage(stage), left.usd).isBelow(usd)) return 'cap_reached'
    return left.sale.isBelow(base) || left.bonus.isBelow(bonus) ? 'supply_reached' : null
  }

  #make(
    quote: Quote,
    detail: 'awaiting_payment' | 'expired',
    expiresAt: number,
    declareBy: number | null,
  ): Order {
    const isHeld = quote.holdsUnpaid && detail === 'awaiting_payment'
    const { stage, base, bonus, usd, price, rate } = quote
    const order: Order = {
      number: this.orders.length + 1,
      quote,
      isHeld,
      expiresAt,
      declareBy,
      status: 'pending',
      via: null,
      detail,
      ended: 'cancelled',
      stage,
      base,
      bonus,
      usd,
      price,
      rate,
      declaredAt: null,
      country: null,
      isCountryAsked: this.rewards.asksCountry,
      dueAt: null,
      approvals: 0,
      approvedAt: 0,
    }
    this.orders.push(order)
    return order
  }

  #orderPaidAt({ address, asset, isFailed }: TruePayment): { order: number | null; isForeign: boolean } {
    const quote = this.#byAddress.get(address) as Quote
    const isForeign = this.#settings.coins.get(quote.currency)?.asset !== asset
    const order = this.orderOf(quote.id)?.number ?? (isForeign || isFailed ? null : this.#makePaid(quote))
    return { order, isForeign }
  }

  #makePaid(quote: Quote): number {
    // Whoever pays has ordered: as if confirmed now, or for nothing where that is refused. It takes its place with what is paid.
    const declareBy = this.now + DECLARE
    const { holdsUnpaid } = quote
    quote.holdsUnpaid = false
    if (this.refusalOfOrder(quote) === null) {
      const expiresAt = this.now + this.#settings.orderMinutes.watched * MINUTE
      return this.#make(quote, 'awaiting_payment', expiresAt, declareBy).number
    }
    quote.holdsUnpaid = holdsUnpaid
    const stage = this.stages.find(({ id }) => id === quote.stage) as Stage
    return this.#make(quote, 'expired', Math.min(quote.expiresAt, stage.endsAt), declareBy).number
  }

  #needsOf(
    network: string,
    number: number | null,
    { amount, asset }: Pick<TruePayment, 'amount' | 'asset'>,
    isForeign: boolean,
  ) {
    const order = number === null ? null : this.#order(number)
    const ordered = order?.usd ?? Exact.zero
    if (order && !isForeign)
      return this.#needsOfDollars(network, Exact.most(ordered, dollarsOf(amount, order)))
    const coin = [...this.#settings.coins].find(
      ([, { network: own, asset: paid }]) => own === network && paid === asset,
    )
    const usd = coin ? dollarsOf(amount, { rate: this.rate(coin[0]), price: this.price }) : Exact.zero
    return this.#needsOfDollars(network, Exact.most(ordered, usd))
  }

  #needsOfAll(network: string, number: number, amounts: readonly Exact[]) {
    const order = this.#order(number)
    const usd = Exact.sum(amounts.map((amount) => dollarsOf(amount, order)))
    return this.#needsOfDollars(network, Exact.most(order.usd, usd))
  }

  #needsOfDollars(network: string, usd: Exact) {
    const rules = this.#settings.confirmations.get(network) ?? []
    const rule = rules.find(({ below }) => below === null || usd.isBelow(below))
    return { needed: rule?.confirmations ?? 100, isFinal: rule?.isFinal ?? false, usd }
  }

  #approve(order: Order, via: 'chain' | 'operator'): void {
    order.status = 'approved'
    order.via = via
    order.isHeld = false
    order.approvals += 1
    order.approvedAt = this.now
  }

  #end(order: Order, ended: Order['ended']): void {
    order.status = 'rejected'
    order.via = null
    order.isHeld = false
    order.ended = ended
  }

  /** Brings an order to what its payments say now. */
  #settle(order: Order): void {
    this.#writeOff(order)
    order.dueAt = null
    const payments = this.payments.of(order.number)
    if (order.status === 'approved' && order.via === 'chain') {
      const lost = payments.some(
        (payment) =>
          payment.credited.isPositive &&
          (payment.gone !== null ||
            !payment.block ||
            payment.isReturned ||
            countsFrom(payment, this.now) > payment.creditedFrom),
      )
      if (!lost) return this.#owe(order)
      this.#takeBack(order)
    }
    if (order.status === 'approved') return
    if (order.status === 'rejected') {
      this.#credit(order, Exact.zero)
      return this.#owe(order)
    }
    for (const payment of payments) payment.credited = Exact.zero
    this.#settlePending(order)
  }

  #settlePending(order: Order): void {
    const settling = new Settling(this.#pending(order))
    if (!settling.isPaid) return this.#leaveUnpaid(order)
    let decided = settling.decide()
    if (decided.kind === 'buys' && !this.#buy(order, decided)) {
      const isMore = order.quote.base.isBelow(decided.base) && !decided.isLate
      const again = isMore ? settling.asOrdered() : settling.noRoom()
      decided = again.kind === 'buys' && !this.#buy(order, again) ? settling.noRoom() : again
    }
    if (decided.kind === 'buys') {
      this.#credit(order, decided.credited)
      return this.#owe(order)
    }
    if (!decided.keepsPlace) order.isHeld = false
    else if (decided.takesPlace && !order.isHeld)
      order.isHeld = this.#refusalOfRoom(order.stage, order) === null
    order.detail = decided.detail
    order.dueAt = decided.until
    if (decided.detail !== 'refund_due') return
    this.#owe(order, decided.owedUntil)
    // What came later is decided for itself.
    if (decided.owedUntil !== Number.POSITIVE_INFINITY) this.#settle(order)
  }

  #pending(order: Order) {
    const { quote, expiresAt, declaredAt, declareBy } = order
    const parts = this.payments.of(order.number).flatMap((payment): Part[] => {
      const amount = payment.amount.minus(payment.owed)
      if (payment.gone !== null || payment.isReturned || !amount.isPositive) return []
      const at = Math.max(countsFrom(payment, this.now), declaredAt ?? Number.NEGATIVE_INFINITY)
      const { id, isConfirmed, block, minedAt, seenAt } = payment
      return [{ id, amount, isConfirmed, isMined: block !== null, at, waitUntil: (minedAt ?? seenAt) + DAY }]
    })
    const isDeclared = declaredAt !== null || declareBy === null
    return {
      quote,
      parts,
      expiresAt,
      terms: this.#termsOf(order),
      now: this.now,
      holdsUnpaid: quote.holdsUnpaid,
      declareBy: isDeclared ? null : declareBy,
    }
  }

  #termsOf(order: Order): Terms {
    const { minimum, maximum, stages } = this.#settings
    return {
      minimum,
      maximum,
      coinDecimals: this.#coin(order).decimals,
      isPausedAt: (at) => this.#paused.at(at),
      stageEnd: (stage) => stages.find(({ id }) => id === stage)?.endsAt ?? 0,
      stageAt: (at) =>
        this.#paused.at(at)
          ? null
          : (stages.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt)?.id ?? null),
      rateAt: (at) => (this.#rates.get(order.quote.currency) as History<Exact>).at(at),
      priceAt: (at) => this.#price.at(at),
      percentReached: (tokens) => this.percentReached(tokens),
    }
  }

  #leaveUnpaid(order: Order): void {
    const own = this.#standing(order)
    const { holdsUnpaid } = order.quote
    const isOpen = this.now < order.expiresAt && (order.isHeld || !holdsUnpaid)
    const needsDeclaration = order.declareBy !== null && order.declaredAt === null
    if (own.some(({ state }) => state !== 'paid')) order.detail = 'refund_due'
    else if (own.length > 0 || this.#isGivenBack(order)) order.detail = 'refunded'
    else if (order.detail !== 'under_review' || needsDeclaration)
      order.detail = isOpen ? 'awaiting_payment' : 'expired'
    if (!isOpen || !holdsUnpaid) order.isHeld = false
    order.dueAt = isOpen ? order.expiresAt : null
  }

  /** Buys as decided, if there is room, and in no sale that missed its soft cap; what was ordered alone keeps its place as far as it goes. */
  #buy(order: Order, { base, bonus, usd, rate }: Bought): boolean {
    const keeps = order.isHeld
    order.isHeld = false
    const refusal = this.#refusalOfRoom(order.stage, { base, bonus, usd })
    if (refusal !== null || this.softCap.isMissed) {
      order.isHeld = keeps
      return false
    }
    Object.assign(order, { base, bonus, usd, rate })
    this.#approve(order, 'chain')
    return true
  }

  /** The chain took back what an approval stood on: the order waits for what it was quoted, held if there is room. */
  #takeBack(order: Order): void {
    this.rewards.takeBack(order.number, order.approvals)
    for (const payment of this.payments.of(order.number)) payment.credited = Exact.zero
    const { stage, base, bonus, usd, price, rate } = order.quote
    Object.assign(order, { status: 'pending', via: null, detail: 'under_review', isHeld: false })
    order.isHeld = this.#refusalOfRoom(stage, order.quote) === null
    Object.assign(order, { stage, base, bonus, usd, price, rate })
  }

  #credit(order: Order, credited: Exact): void {
    let left = credited.cut(this.#coin(order).decimals)
    const payments = this.payments.of(order.number)
    for (const payment of payments) payment.credited = Exact.zero
    for (const payment of payments
      .filter(counts)
      .toSorted((a, b) => countsFrom(a, this.now) - countsFrom(b, this.now) || a.id - b.id)) {
      payment.credited = Exact.least(left, payment.amount.minus(payment.owed))
      payment.creditedFrom = countsFrom(payment, this.now)
      left = left.minus(payment.credited)
    }
  }

  /** What is left of confirmed payments is owed back. */
  #owe(order: Order, until = Number.POSITIVE_INFINITY): void {
    for (const payment of this.payments.of(order.number).filter(counts)) {
      const rest = payment.amount.minus(payment.credited).minus(payment.owed)
      const at = Math.max(countsFrom(payment, this.now), order.declaredAt ?? Number.NEGATIVE_INFINITY)
      if (!rest.isPositive || at > until) continue
      this.#oweOf(payment, order.number, rest)
    }
    if (order.status === 'pending' && this.#standing(order).some(({ state }) => state !== 'paid'))
      order.detail = 'refund_due'
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

const dollarsOf = (amount: Exact, { rate, price }: { rate: Exact; price: Exact }) =>
  amount.times(rate).times(price).rounded(2)

const bringing = ({ number, quote, approvals, base, country, isCountryAsked }: Order): Bringing => ({
  number,
  buyer: quote.buyer,
  approvals,
  base,
  country,
  isCountryAsked,
})

const counts = ({ gone, isConfirmed, isReturned }: Payment) => gone === null && isConfirmed && !isReturned

/** What an escrow owes for a quote. */
const promiseOf = ({ base, bonus }: Quote) => [base, bonus]

/** A rate has 6 decimals or 12 significant digits, whichever is finer. */
function keptRate(rate: Exact): Exact {
  return rate.rounded(Math.max(6, 11 - rate.magnitude))
}

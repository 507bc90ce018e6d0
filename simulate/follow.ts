import { addressKeyOf } from '../src/shared/addresses.ts'
import type { Network } from '../src/shared/networks.ts'
import { type Asked, countryOf, type Outcome, type People } from './execute.ts'
import { compare, rowOf } from './model/compare.ts'
import { Exact } from './model/exact.ts'
import { Model, type Order, type Refund, type Request } from './model/model.ts'
import type { Truth } from './model/payments.ts'
import { limitsOf, readSettings, termsOf } from './model/settings.ts'
import { type Stand, type StandingOrder, type StandingRefund, StandReader } from './stand.ts'
import { networkOf, type Step, transactionOf } from './steps.ts'
import { FINAL_DEPTH, SECOND_ABOVE_USD, type World } from './world.ts'

const DAY = 24 * 60 * 60_000

/** Steps that may change a refund's state; the model handles owed and written off. */
const REFUND_STEPS: Readonly<Record<string, readonly string[]>> = {
  'owed claimed': ['claim'],
  'claimed prepared': ['prepare'],
  'prepared sent': ['pay refund', 'decide', 'watch'],
  'claimed sent': ['watch'],
  'sent prepared': ['watch'],
  'sent paid': ['watch', 'say paid', 'decide'],
  'prepared paid': ['watch', 'say paid', 'decide'],
  'claimed paid': ['say paid', 'decide'],
  'paid sent': ['watch'],
}

/** These errors precede a new stage's price. */
const SALE_REFUSES = [
  'sale_paused',
  'stage_not_started',
  'stage_closed',
  'currency_off',
  'currency_paused',
  'escrow_missing',
]

/** Updates the model step by step and reports differences to the database. */
export class Follower {
  readonly #world: World
  readonly #people: People
  readonly #model: Model
  readonly #faults: string[] = []
  readonly #read = new Set<string>()
  readonly #reader: StandReader
  #stand: Stand | undefined

  private constructor(world: World, people: People, model: Model) {
    this.#world = world
    this.#people = people
    this.#model = model
    this.#reader = new StandReader(world.db.pool)
  }

  static async open(world: World, people: People): Promise<Follower> {
    return new Follower(world, people, new Model(await readSettings(world.db.pool), world.clock.now))
  }

  /** An empty list is the proof. `isWhole`: also reads unchanged rows. */
  async follow(step: Step, outcome: Outcome, isWhole: boolean): Promise<string[]> {
    this.#model.now = this.#world.clock.now
    const stand = await this.#reader.read(isWhole)
    this.#stand = stand
    this.#faults.length = 0
    this.#readRefundAddresses(stand)
    this.#readFinals(stand)
    this.#apply(step, outcome, stand)
    this.#checkRefunds(step, stand)
    return [...this.#faults, ...compare(this.#model, stand, this.#world.buyers, isWhole)]
  }

  /** The state without random ids. */
  get stood(): string {
    // The id of an order in its escrow is random.
    const places = new Map(this.#stand?.orders.map(({ place }, index) => [place, String(index)]))
    return JSON.stringify(this.#stand, (key, value) =>
      key === 'address' || key === 'place' ? (places.get(value) ?? value) : value,
    )
  }

  #apply(step: Step, outcome: Outcome, stand: Stand): void {
    switch (step.kind) {
      case 'order':
      case 'order again':
        return this.#order(outcome, stand)
      case 'sign':
      case 'sent':
      case 'name':
      case 'take back':
        return this.#buyer(step, outcome, stand)
      case 'approve':
      case 'reject':
      case 'decide':
        return this.#decide(step, outcome, stand)
      case 'refund payment':
        return this.#decidePayment(outcome, stand)
      case 'say paid':
        return this.#readDecided(stand)
      case 'grant':
      case 'repeat':
      case 'reverse grant':
        return this.#readGrants(step, outcome, stand)
      case 'watch':
        return this.#watch(outcome, stand)
      case 'jobs':
        return this.#jobs(outcome, stand)
      case 'soft cap':
        this.#model.softCap.usd = stand.soft_cap.usd === null ? null : Exact.of(stand.soft_cap.usd)
        return this.#readSale(stand)
      case 'limits':
        this.#model.limits = limitsOf(stand.limits)
        return
      case 'money back':
        this.#model.limits = limitsOf(stand.limits)
        return this.#readSale(stand)
      case 'price':
      case 'rate':
      case 'pause sale':
      case 'pause currency':
      case 'switch currency':
        return this.#readSale(stand)
      case 'terms':
      case 'join':
      case 'register':
      case 'sign in':
        return this.#bring(step, outcome, stand)
      case 'freeze':
        return this.#freeze(step.minutes, outcome, stand)
      case 'decide rewards':
        return this.#decideRewards(outcome, stand)
      case 'look again':
        return this.#lookAgain(outcome, stand)
      default:
    }
  }

  #expect(what: string, outcome: Outcome, refusal: string | null): void {
    if (outcome.kind === 'done' && refusal !== null)
      this.#faults.push(`${what} was answered: must be refused: ${refusal}`)
    if (outcome.kind === 'refused' && outcome.code !== refusal)
      this.#faults.push(`${what} was refused: ${outcome.code}, must be ${refusal ?? 'answered'}`)
  }

  #order(outcome: Outcome, stand: Stand): void {
    const { asking } = this.#people
    if (!asking) return
    const row = stand.orders.find(({ key }) => key === asking.key)
    const isKnown = row !== undefined && this.#model.orderOf(row.number) !== undefined
    const request = requestOf(asking)
    const network = networkOf(asking.currency)
    const refusal = isKnown ? null : this.#refusalOfOrder(request, outcome, stand, network)
    this.#expect('order', outcome, refusal)
    if (outcome.kind === 'done' && !row) this.#faults.push(`order is missing: ${asking.key}`)
    if (!row || isKnown) return
    if (refusal !== null) this.#faults.push(`order was made: must be refused: ${refusal}`)
    const { number, place } = row
    const address = addressKeyOf(network, place)
    this.#model.make(request, { number, address, country: countryOf(asking.buyer) ?? null })
  }

  /** A new stage sets its price before an order is judged by it. */
  #refusalOfOrder(request: Request, outcome: Outcome, stand: Stand, network: Network): string | null {
    const model = this.#model
    const isOpen = !SALE_REFUSES.includes(model.refusalOfOrder(request) ?? '')
    if (isOpen && (outcome.kind !== 'died' || !model.price.equals(Exact.of(stand.price)))) model.beginStage()
    const refusal = model.refusalOfOrder(request)
    const isUnread = !this.#read.has(network) && model.takesAddress(request.currency)
    return refusal ?? (isUnread ? 'unavailable' : null)
  }

  /** Also checks that no later block is final. */
  #readFinals(stand: Stand): void {
    this.#model.finalAt = new Map(stand.finals.map(({ chain, at }) => [chain, at]))
  }

  #orderOf(which: number): Order | undefined {
    return this.#model.orderOf(Number(this.#people.at(which)?.order?.number))
  }

  #buyer(
    step: Extract<Step, { kind: 'sign' | 'sent' | 'name' | 'take back' }>,
    outcome: Outcome,
    stand: Stand,
  ): void {
    const model = this.#model
    const order = this.#orderOf(step.which)
    const row = order && standing(stand, order)
    if (!order || !row) return
    if (step.kind === 'sent') {
      this.#expect('word of a buyer', outcome, null)
      order.isSent ||= row.sent
    } else if (step.kind === 'take back') {
      this.#expect('taking back', outcome, model.refusalOfTakingBack(order))
      if (row.status === 'rejected' && order.status === 'approved') model.takeBack(order)
    } else if (step.kind === 'name') {
      this.#expect(
        'name of a transaction',
        outcome,
        model.refusalOfName(order, transactionOf(step.transaction)),
      )
      if (row.named !== order.named) model.name(order, row.named)
    } else {
      this.#expect('signature', outcome, model.refusalOfSignature(order, this.#people.inEscrow))
      if (row.signed !== order.signedUntil) model.sign(order)
    }
  }

  #decide(
    step: Extract<Step, { kind: 'approve' | 'reject' | 'decide' }>,
    outcome: Outcome,
    stand: Stand,
  ): void {
    const named = step.kind === 'decide' ? undefined : this.#orderOf(step.which)
    if (named && step.kind === 'approve' && !stand.two_operators)
      this.#expect('approval', outcome, this.#model.refusalOfApproval(named))
    if (named && step.kind === 'reject')
      this.#expect(
        'rejection',
        outcome,
        this.#model.refusalOfRejection(named, this.#people.came.at(-1)?.amount ?? null),
      )
    for (const order of this.#model.orders) {
      const row = standing(stand, order)
      if (!row) continue
      if (row.approvals > order.approvals && step.kind !== 'reject') this.#model.approve(order)
      // A request left by a killed process is replaced by a later one before the second operator confirms.
      else if (
        (order === named || step.kind === 'decide') &&
        step.kind !== 'approve' &&
        row.status === 'rejected'
      )
        this.#model.reject(order, this.#cameOf(order, stand))
    }
    this.#readGrants(step, outcome, stand)
    if (step.kind !== 'decide') return
    this.#readRounds(stand)
    // This confirmation may have executed a request.
    this.#readSale(stand)
    this.#readDecided(stand)
  }

  /** A request left by a killed process may finalize its round later. */
  #freeze(minutes: number, outcome: Outcome, stand: Stand): void {
    const isFrozen = this.#readRounds(stand)
    const isRefused = outcome.kind === 'refused'
    const cut = this.#model.now - minutes * 60_000
    this.#expect('round', outcome, isFrozen || !isRefused ? null : this.#model.freeze(cut))
    if (!isFrozen && outcome.kind === 'done') this.#faults.push('round is missing')
  }

  /** True if a round was finalized since. */
  #readRounds({ rounds }: Stand): boolean {
    const isFrozen = rounds.length > this.#model.rounds
    const refusal = isFrozen ? this.#model.freeze(rounds.at(-1)?.cut ?? 0) : null
    if (refusal !== null) this.#faults.push(`round was frozen: must be refused: ${refusal}`)
    return isFrozen
  }

  /** The amount that one of the rejecting operators stated. */
  #cameOf(order: Order, stand: Stand): Exact {
    const { number } = order
    const owed = stand.refunds.filter((row) => row.payment === null && row.order === number)
    const came = Exact.sum(owed.map(({ amount }) => Exact.of(amount)))
    const byDefault = order.status === 'approved' ? order.ordered.asked : Exact.zero
    const said = this.#people.came.filter((one) => one.order === String(number))
    const isSaid = said.some((one) => came.equals(one.amount ?? byDefault))
    if (order.status !== 'rejected' && this.#model.isByHand(order) && !isSaid)
      this.#faults.push(`what came for order ${number}: ${came}, which nobody said`)
    return came
  }

  #decidePayment(outcome: Outcome, stand: Stand): void {
    const model = this.#model
    const payment = model.payments.all.find((known) => rowOf(stand, known)?.id === this.#people.decided)
    if (payment) this.#expect('refund of payment', outcome, model.refusalOfRefund(payment))
    this.#readDecided(stand)
  }

  /**
   * Takes over decisions about refunds and foreign payments; steps decide whether operators may make them.
   */
  #readDecided(stand: Stand): void {
    this.#noteRefunds(stand, null, ['claimed', 'prepared', 'sent'], 'paid')
    for (const payment of this.#model.payments.all) {
      const row = payment.isForeign ? rowOf(stand, payment) : undefined
      if (row && !payment.owed.isPositive && Exact.of(row.owed).isPositive) this.#model.refund(payment)
    }
  }

  #readGrants(step: Step, outcome: Outcome, stand: Stand): void {
    const { granted } = this.#model
    for (const { key, reversed } of stand.grants) {
      const asked = this.#people.grants.find((grant) => grant.key === key)
      if (!asked || key === null) this.#faults.push(`grant that nobody asked for: ${key}`)
      else if (!granted.has(key))
        granted.set(key, {
          buyer: asked.buyer,
          amount: Exact.of(asked.amount),
          at: this.#model.now,
          isReversed: false,
          isListed: false,
        })
      const grant = granted.get(key ?? '')
      const isAsked = ['reverse grant', 'decide'].includes(step.kind) && asked?.isReversalAsked
      const mayReverse = isAsked && !grant?.isListed
      if (grant && reversed && mayReverse) grant.isReversed = true
      if (grant && grant.isReversed !== reversed) this.#faults.push(`reversal of grant: ${key}`)
    }
    if (new Set(stand.grants.map(({ key }) => key)).size < stand.grants.length)
      this.#faults.push('grant was given twice')
    const asked = outcome.kind === 'done' && step.kind === 'grant' ? this.#people.grants.at(-1) : undefined
    if (asked && Exact.of(asked.amount).isPositive && !granted.has(asked.key))
      this.#faults.push(`grant is missing: ${asked.key}`)
  }

  /** Takes over prices and pauses; steps decide whether operators made them. */
  #readSale(stand: Stand): void {
    const price = Exact.of(stand.price)
    if (!price.equals(this.#model.price)) this.#model.changePrice(price)
    if (stand.paused !== this.#model.isPaused) this.#model.pause(stand.paused)
    for (const { code, rate, refusal } of stand.coins) {
      const isNew = !Exact.of(rate).equals(this.#model.rate(code)) && this.#wasSet(code, rate)
      if (isNew) this.#model.setRate(code, Exact.of(rate))
      this.#model.refuse(code, refusal)
    }
  }

  /** True if an operator requested this rate, now or in a request confirmed since. */
  #wasSet(code: string, rate: string): boolean {
    const { step } = this.#people.last
    if (step.kind !== 'rate' && step.kind !== 'decide') return false
    return this.#people.rates.some((asked) => asked.code === code && asked.rate.equals(Exact.of(rate)))
  }

  #watch({ passes }: Outcome, stand: Stand): void {
    for (const { network, height: known } of passes) {
      const chain = this.#world.chains.get(network)
      const cursor = stand.chains.find(({ name }) => name === network)
      const height = known ?? cursor?.height
      if (!chain || height === null || height === undefined) continue
      this.#read.add(network)
      this.#noteRefunds(stand, network, ['paid'], 'sent')
      this.#noteShown(stand, network, chain.truth, height)
      this.#model.read({
        network,
        truth: chain.truth,
        height,
        hasWaiting: height === chain.height,
        now: this.#model.now,
        finalDepth: FINAL_DEPTH,
        secondAboveUsd: network === 'ethereum' ? Exact.of(SECOND_ABOVE_USD) : null,
        second:
          chain.second === 'silence' ? null : { height: chain.secondHeight, lies: chain.second === 'lies' },
      })
      this.#noteRefunds(stand, network, ['sent', 'prepared'], 'paid')
      for (const once of chain.readOnce) this.#faults.push(`block was read once: ${once}`)
    }
    this.#readBalances(stand)
  }

  #readBalances({ chains }: Stand): void {
    for (const { name, balances } of chains)
      if (balances !== null && !this.#model.softCap.readBalances(name, balances))
        this.#faults.push(`balances were read past the blocks of ${name}`)
  }

  /** Takes over the refunds' progress; `#checkRefunds` compares it with the chain. */
  #noteRefunds(
    stand: Stand,
    network: string | null,
    from: readonly Refund['state'][],
    to: Refund['state'],
  ): void {
    for (const [refund, row] of this.#refundRows(stand)) {
      if (row?.state !== to || row.chain !== (network ?? row.chain)) continue
      if (!from.includes(refund.state)) continue
      refund.state = to
    }
  }

  /** Notes transfers shown in a block or waiting. */
  #noteShown(stand: Stand, network: Network, { blocks, waiting }: Truth, height: number): void {
    const shown = [
      ...blocks
        .slice(0, height + 1)
        .flatMap(({ hasLogs, transactions }) =>
          transactions.flatMap(({ id, payments }) =>
            payments.filter(({ asset }) => hasLogs || asset === 'native').map((paid) => ({ id, ...paid })),
          ),
        ),
      ...(height === blocks.length - 1 ? waiting : []).flatMap(({ id, payments }) =>
        payments.map((paid) => ({ id, ...paid })),
      ),
    ]
    for (const [refund, row] of this.#refundRows(stand))
      if (row?.chain === network)
        refund.isShown ||= shown.some(
          ({ id, address, asset, amount, isFailed }) =>
            id === row.transaction &&
            address === row.address &&
            asset === row.asset &&
            !isFailed &&
            amount.equals(refund.amount),
        )
  }

  #jobs(outcome: Outcome, stand: Stand): void {
    const model = this.#model
    const isDone = outcome.kind === 'done'
    if (isDone || !model.price.equals(Exact.of(stand.price))) model.beginStage()
    if ((isDone || stand.soft_cap.verdict !== null) && model.isSoftCapDue) model.decideSoftCap()
    for (const order of model.orders)
      if (
        model.softCap.isMissed &&
        order.status === 'approved' &&
        (isDone || standing(stand, order)?.status === 'rejected')
      )
        model.payBack(order)
  }

  #readRefundAddresses(stand: Stand): void {
    const refundsTo = new Map<number, Set<string>>()
    for (const { order, chain, address } of stand.refunds) {
      const buyer = this.#model.orderOf(order)?.buyer
      if (buyer === undefined || address === null) continue
      refundsTo.set(buyer, (refundsTo.get(buyer) ?? new Set()).add(`${chain} ${address}`))
    }
    this.#model.refundsTo = refundsTo
  }

  #bring(
    step: Extract<Step, { kind: 'terms' | 'join' | 'register' | 'sign in' }>,
    outcome: Outcome,
    stand: Stand,
  ): void {
    const { rewards } = this.#model
    if (step.kind === 'terms') this.#model.setTerms(stand.terms && termsOf(stand.terms))
    else if (step.kind === 'register') {
      const { registered } = this.#people
      if (registered && this.#world.buyers.length > rewards.buyers)
        rewards.register(registered.mailbox, registered.by)
    } else {
      const buyer = this.#world.indexOf(step.buyer)
      const user = this.#world.buyers[buyer]
      if (step.kind === 'join') {
        this.#expect('link', outcome, rewards.refusalOfLink(step.country))
        if (stand.links.some((link) => link.user === user)) rewards.join(buyer, step.country)
      } else {
        const known = rewards.browsers.get(buyer)?.size ?? 0
        const isNoted = (stand.browsers.find((row) => row.user === user)?.count ?? 0) > known
        if (isNoted || outcome.kind === 'done') rewards.signIn(buyer, step.browser)
      }
    }
  }

  #lookAgain(outcome: Outcome, stand: Stand): void {
    const { rewards } = this.#model
    const reversed = stand.rewards.filter((reward) => reward.reversed).length
    const takenBack = rewards.decisions.filter(({ isTakenBack }) => isTakenBack).length
    if (outcome.kind === 'done' || reversed > takenBack) rewards.lookAgain()
  }

  /** Rewards are decided one by one, so a killed process decided the first ones. */
  #decideRewards(outcome: Outcome, stand: Stand): void {
    const due = this.#model.orders
      .filter((order) => this.#model.isRewardDue(order))
      .toSorted((a, b) => a.approvedAt - b.approvedAt || a.number - b.number)
    for (const order of due)
      if (
        outcome.kind === 'done' ||
        stand.rewards[this.#model.rewards.decisions.length]?.order === order.number
      )
        this.#model.decideReward(order)
  }

  /** Pairs the model's refunds with rows: those of one payment in order of their debts. */
  *#refundRows(stand: Stand): Generator<[Refund, StandingRefund | undefined]> {
    const taken = new Set<StandingRefund>()
    for (const refund of this.#model.refunds) {
      const payment = refund.payment ? rowOf(stand, refund.payment)?.id : null
      const row = stand.refunds.find(
        (other) => !taken.has(other) && other.payment === payment && other.order === refund.order,
      )
      if (row) taken.add(row)
      yield [refund, row]
    }
  }

  #checkRefunds(step: Step, stand: Stand): void {
    const pairs = [...this.#refundRows(stand)]
    if (pairs.length !== stand.refunds.length)
      this.#faults.push(`refunds: stand ${stand.refunds.length}, must be ${pairs.length}`)
    for (const [refund, row] of pairs) {
      if (!row) {
        this.#faults.push(`refund is missing: ${refund.amount}`)
        continue
      }
      if (!Exact.of(row.amount).equals(refund.amount))
        this.#faults.push(`amount of refund: stands ${row.amount}, must be ${refund.amount}`)
      const isAllowed =
        row.state === refund.state || REFUND_STEPS[`${refund.state} ${row.state}`]?.includes(step.kind)
      if (!isAllowed) this.#faults.push(`state of refund: stands ${row.state}, must be ${refund.state}`)
      this.#checkTime(refund, row)
      refund.state = row.state
      if (step.kind === 'watch') this.#checkSending(row)
    }
  }

  /** A refund is prepared a day after its address was named, and once its payment is final. */
  #checkTime(refund: Refund, { state, address }: StandingRefund): void {
    if (state === 'prepared' && refund.state === 'claimed') {
      const isNamedLately = (refund.claimedAt ?? Number.NEGATIVE_INFINITY) > this.#model.now - DAY
      if (isNamedLately || refund.payment?.isFinal === false)
        this.#faults.push('refund was prepared too early')
    }
    if (state !== 'claimed' || refund.address === address) return
    refund.claimedAt = refund.state === 'owed' || refund.address ? this.#model.now : undefined
    refund.address = address
  }

  /** A refund is paid exactly when a block's transaction transfers its amount and has the confirmations. */
  #checkSending(row: StandingRefund): void {
    const chain = this.#world.chains.get(row.chain as never)
    const cursor = chain?.height ?? 0
    const isByWord = row.via === 'operator'
    if (!chain || !row.transaction || isByWord || !['sent', 'paid'].includes(row.state)) return
    const block = chain.truth.blocks.find(({ transactions }) =>
      transactions.some(
        ({ id, payments }) =>
          id === row.transaction &&
          payments.some(
            ({ address, asset, amount, isFailed }) =>
              !isFailed &&
              address === row.address &&
              asset === row.asset &&
              amount.equals(Exact.of(row.amount)),
          ),
      ),
    )
    const confirmations = block ? cursor - block.height + 1 : 0
    // A large refund needs a final block.
    const isLarge = row.chain !== 'litecoin' && !Exact.of(row.usd).isBelow(Exact.of('10000'))
    const needed = isLarge ? FINAL_DEPTH + 1 : row.chain === 'litecoin' ? 6 : 12
    const isRead = this.#people.hasRead === row.chain
    // The node may show a block's logs on a later poll.
    const isShown = row.asset === 'native' || block?.hasLogs
    const isAlone = row.chain !== 'ethereum' || !Exact.of(SECOND_ABOVE_USD).isBelow(Exact.of(row.usd))
    if (isRead && isShown && isAlone && row.state === 'sent' && confirmations >= needed)
      this.#faults.push(`refund is not paid though its transaction is confirmed: ${row.id}`)
    if (isRead && row.state === 'paid' && confirmations === 0)
      this.#faults.push(`refund is paid by nothing: ${row.id}`)
  }
}

function standing(stand: Stand, order: Order): StandingOrder | undefined {
  return stand.orders.find(({ number }) => number === order.number)
}

const requestOf = ({ buyer, currency, tokens, shown }: Asked): Request => ({
  buyer,
  currency,
  tokens: Exact.of(tokens),
  shown: shown ? { price: Exact.of(shown.priceUsd), rate: Exact.of(shown.rate) } : null,
})
